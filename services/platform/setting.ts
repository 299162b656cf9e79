/** What a configuration asks of the environment, in words for the people who set it. */
export interface Setting {
  /** The variable; where there are several, the first that is set counts. */
  names: readonly string[];
  /** What holds when it is not set; empty for nothing. */
  fallback: string;
  /** What it may be. */
  values: string;
  /** Never printed, and read from the file that NAME_FILE names as well. */
  isSecret: boolean;
  meaning: string;
}

/** The settings as the rows of a Markdown table. */
export function settingsTable(settings: readonly Setting[]): string {
  const rows = settings.map(({ names, fallback, values, isSecret, meaning }) => {
    const name = names.map((one) => `\`${one}\``).join(", else ");
    const cells = [`${name}${isSecret ? " (secret)" : ""}`, fallback === "" ? "–" : `\`${fallback}\``, values, meaning];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return ["| Setting | Default | Values | Meaning |", "|---|---|---|---|", ...rows].join("\n");
}
