// Writes the social service's rule for weighted characters as one file for the page (`npm run weighted-text`). It is committed, so
// that the page needs no build; a test fails when it differs from the rule.
import { writeFileSync } from "node:fs";
import { bundleWeightedText, weightedTextFile } from "./weighted-text-file.ts";

writeFileSync(weightedTextFile, await bundleWeightedText());
