// `npm run bench`: every measurement, one table. Figures that count are kept in RESULTS.md by hand, with their machine.
import { cpus } from "node:os";
import { measureImport } from "./import.ts";

console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`);
for (const measure of [measureImport]) {
  for (const { name, value } of await measure()) console.log(`${name.padEnd(52)} ${value}`);
}
