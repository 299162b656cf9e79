// `npm run settings`: updates the tables of docs/operations.md.
import { readFileSync, writeFileSync } from "node:fs";
import { withSettingsTables } from "./settings-tables.ts";

const page = new URL("../../docs/operations.md", import.meta.url);
writeFileSync(page, withSettingsTables(readFileSync(page, "utf8")));
