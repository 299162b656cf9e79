import { readFileSync } from "node:fs";
import type { Json } from "../../../cli/json/json.ts";

/** The sample data: users and statuses in the shape of Twitter API v1.1, as `npm run import` reads them. */
export interface Sample {
  users: SampleRecord[];
  statuses: SampleRecord[];
}

type SampleRecord = { [field: string]: Json };

/**
 * Reads the sample data.
 * @param gatewayUrl the gateway that serves its pictures
 */
export function readSample(gatewayUrl: string): Sample {
  const text = readFileSync(new URL("sample.json", import.meta.url), "utf8");
  return JSON.parse(text.replaceAll(defaultGateway, gatewayUrl)) as Sample;
}

/** Where the file itself says that the pictures are. */
const defaultGateway = "http://127.0.0.1:8080";
