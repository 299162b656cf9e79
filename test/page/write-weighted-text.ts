import { writeFileSync } from "node:fs";
import { readCommandLine } from "../../bench/command-line.ts";
import { bundleWeightedText, weightedTextFile } from "./weighted-text-file.ts";

readCommandLine(
  `usage: npm run weighted-text

Writes the social service's rule for weighted characters as one file for the page. It is committed, so that the page needs no build; a test
fails when it differs from the rule.`,
  {},
);
writeFileSync(weightedTextFile, await bundleWeightedText());
