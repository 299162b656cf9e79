// `node --import tsx bench/picture.ts`: draws the newest table of RESULTS.md as docs/bench.svg, each figure as a part of its floor.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Pixels. */
const [line, textWidth, barWidth, margin] = [22, 430, 260, 12];
/** Twice as good as the floor; better ones end here. */
const widest = 2;

/** The rows of the first table in a Markdown text, as an SVG picture. A bar to the right of the line is better than the floor. */
export function pictureOf(markdown: string): string {
  const rows = tableOf(markdown).flatMap(([title = "", unit = "", floor = "", figure = ""]) => {
    const value = numberIn(figure);
    const least = /≥ ([\d.,]+)/.exec(floor)?.[1];
    const most = /^≤ ([\d.,]+)/.exec(floor)?.[1];
    if (value === undefined || (least ?? most) === undefined) return [];
    const part =
      least === undefined ? (numberIn(most as string) as number) / value : value / (numberIn(least) as number);
    return [{ label: title, figure: `${figure.split(" ")[0]} ${unit}`, floor: floor.split(", p99")[0], part }];
  });
  const height = (rows.length + 1) * line + 2 * margin;
  const width = textWidth + barWidth + 330;
  const atFloor = textWidth + barWidth / widest;
  const bars = rows.map(({ label, figure, floor, part }, index) => {
    const y = margin + (index + 1) * line;
    const length = Math.max(2, (Math.min(part, widest) * barWidth) / widest);
    return [
      `<text x="${textWidth - 8}" y="${y + 14}" text-anchor="end">${escaped(label)}</text>`,
      `<rect x="${textWidth}" y="${y + 3}" width="${length.toFixed(0)}" height="14" fill="${part >= 1 ? "#2e7d5b" : "#b5722d"}"/>`,
      `<text x="${textWidth + barWidth + 8}" y="${y + 14}">${escaped(`${figure} (${floor})`)}</text>`,
    ].join("\n");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#333">
<title>Each row of the benchmark as a part of its floor</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${atFloor}" y="${margin + 12}" text-anchor="middle">floor</text>
${bars.join("\n")}
<path d="M${atFloor} ${margin + line}V${height - margin}" stroke="#333" stroke-dasharray="3 3"/>
</svg>
`;
}

function tableOf(markdown: string): string[][] {
  const lines = markdown.split("\n");
  const head = lines.findIndex((text) => text.startsWith("| Row |"));
  const rest = lines.slice(head + 2);
  const end = rest.findIndex((text) => !text.startsWith("|"));
  return rest.slice(0, end < 0 ? undefined : end).map((text) =>
    text
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function numberIn(text: string): number | undefined {
  const found = /[\d.,]*\d/.exec(text)?.[0];
  return found === undefined ? undefined : Number(found.replaceAll(",", ""));
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(join(root, "docs/bench.svg"), pictureOf(readFileSync(join(root, "bench/RESULTS.md"), "utf8")));
}
