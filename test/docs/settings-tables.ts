import { readConfig as readCli } from "../../cli/config.ts";
import { readConfig as readGateway } from "../../gateway/config.ts";
import { readConfig as readAccount } from "../../services/account/config.ts";
import { readConfig as readLocal } from "../../services/local/config.ts";
import { type EnvironmentReader, listSettings, type Setting } from "../../services/platform/environment.ts";
import { readConfig as readSocial } from "../../services/social/config.ts";

/** What reads the settings of each process. */
export const definitions: Record<string, (read: EnvironmentReader) => unknown> = {
  gateway: readGateway,
  account: readAccount,
  social: readSocial,
  "npm start": readLocal,
  cli: readCli,
};

/**
 * A page with the tables of the settings that the code reads, each between `<!-- settings: NAME -->` and `<!-- end -->`.
 * @throws Error when the page lacks a process, or names an unknown one
 */
export function withSettingsTables(page: string): string {
  const missing = new Set(Object.keys(definitions));
  const text = page.replace(/(<!-- settings: (.*?) -->\n)[\s\S]*?(<!-- end -->)/g, (_, start, name: string, end) => {
    const build = definitions[name];
    if (build === undefined || !missing.delete(name)) throw new Error(`${name} is unknown, or has two tables`);
    return `${start}${settingsTable(listSettings(build))}\n${end}`;
  });
  if (missing.size > 0) throw new Error(`The page has no settings of ${[...missing].join(", ")}`);
  return text;
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
