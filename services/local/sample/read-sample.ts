import { readFileSync } from "node:fs";
import type { Json } from "../../../cli/json/json.ts";

/** The sample data: users and statuses in the shape of Twitter API v1.1, as `npm run import` reads them. */
export interface Sample {
  users: SampleRecord[];
  statuses: SampleRecord[];
}

type SampleRecord = { [field: string]: Json };

/** Reads the sample data. Its pictures are paths of the gateway, so that they are on whatever host is asked. */
export function readSample(): Sample {
  return JSON.parse(readFileSync(new URL("sample.json", import.meta.url), "utf8")) as Sample;
}
