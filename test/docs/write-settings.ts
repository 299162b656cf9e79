import { readFileSync, writeFileSync } from "node:fs";
import { readCommandLine } from "../../bench/command-line.ts";
import { withSettingsTables } from "./settings-tables.ts";

readCommandLine(
  `usage: npm run settings

Updates the tables of settings in docs/operations.md from the code that reads them.`,
  {},
);

const page = new URL("../../docs/operations.md", import.meta.url);
writeFileSync(page, withSettingsTables(readFileSync(page, "utf8")));
