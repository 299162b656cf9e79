// Writes what the page counts weighted characters with: the social service's own rule, as one file that a browser reads
// (`npm run weighted-text`). Committed, so that the page needs no build; a test says when it is not what the rule is.
import { writeFileSync } from "node:fs";
import { bundleWeightedText, weightedTextFile } from "./weighted-text-file.ts";

writeFileSync(weightedTextFile, await bundleWeightedText());
