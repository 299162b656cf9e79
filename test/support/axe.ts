import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

/**
 * The faults that axe finds on the page as it is: WCAG 2.2 AA and its own good practice, as `rule: element`.
 * @param rules only these
 * @param without no element that this selector matches
 */
export async function findings(page: Page, rules?: string[], without?: string): Promise<string[]> {
  script ??= readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(script);
  return page.evaluate(run(rules, without));
}

let script: string | undefined;

// As text, since the tests are not compiled for a browser.
const run = (
  runOnly?: string[],
  without?: string,
) => `axe.run({ exclude: ${JSON.stringify(without === undefined ? [] : [[without]])} }, { resultTypes: ["violations"], ...${JSON.stringify({ runOnly })} }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`;
