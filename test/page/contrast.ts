import type { Page } from "playwright-core";

/** Texts on the page whose colour contrasts less with what lies behind them than WCAG 2.2 AA asks, and by how much. */
export function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate(script);
}

// A text, since the tests are not compiled for a browser. A ground that is not opaque counts as that of the element around it.
const script = `(() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const light = (colour) => {
    const [r, g, b] = parts(colour).map((part) => linear(part / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if ((parts(colour)[3] ?? 1) === 1) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const faint = [];
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim() !== "");
    const field = node.matches("input");
    if ((!own && !field) || !node.checkVisibility({ visibilityProperty: true }) || node.matches("script, .hidden")) continue;
    const [a, b] = [light(getComputedStyle(node).color), light(ground(node))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) faint.push(node.className + " " + node.textContent.slice(0, 30) + ": " + ratio.toFixed(2));
  }
  return faint;
})()`;
