import type { Bar } from "./bars.ts";

/** The bars as an SVG document. @param caption where and with which tools they were measured */
export function svgBars(bars: readonly Bar[], caption: string): string {
  const height = top + bars.length * rowHeight + 10;
  const rows = bars.map(({ title, run, share, label }, row) => {
    const y = top + row * rowHeight;
    return [
      `<text x="${barsAt - 10}" y="${y + 12}" text-anchor="end">${escape(title)}</text>`,
      `<rect x="${barsAt}" y="${y}" width="${(share * barWidth).toFixed(1)}" height="${rowHeight - 5}" fill="${colours[run]}"/>`,
      `<text x="${barsAt + barWidth + 10}" y="${y + 12}">${escape(label)}</text>`,
    ].join("\n");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${barsAt + barWidth + 250} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
<text x="10" y="18">${escape(caption)}</text>
<text x="10" y="36">Requests per second: <tspan fill="${colours.now}">now</tspan>, <tspan fill="#666">last run</tspan></text>
${rows.join("\n")}
</svg>
`;
}

/** Pixels. */
const [top, rowHeight, barsAt, barWidth] = [50, 20, 330, 400];
const colours = { now: "#1b6ca8", last: "#b8c4ce" };

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
