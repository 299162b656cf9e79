// `npm run settings`: brings the tables of docs/operations.md up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { withSettingsTables } from "./settings-tables.ts";

const page = new URL("../../docs/operations.md", import.meta.url);
writeFileSync(page, withSettingsTables(readFileSync(page, "utf8")));
