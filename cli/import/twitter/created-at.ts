import { contractDate, months } from "../../../services/platform/contract-date.ts";
import { Refusal } from "../../errors.ts";
import type { JsonObject } from "../../json/json.ts";
import { requiredTextOf } from "./fields.ts";

/** A moment, as the contract writes it and as a number. */
export interface CreatedAt {
  /** Such as "Wed Aug 27 13:08:45 +0000 2008". */
  text: string;
  /** Milliseconds since 1970. */
  ms: number;
}

/**
 * Reads `created_at`.
 * @throws Refusal unless it is a date that exists, spelled as the contract spells dates (contract §3) or as X did until 2018.
 */
export function createdAtOf(object: JsonObject): CreatedAt {
  const text = requiredTextOf(object, "created_at");
  const [, month = "", day, time, year] = contractForm.exec(text) ?? [];
  const early = formOf2012.exec(text);
  const number = `${months.indexOf(month) + 1}`.padStart(2, "0");
  const iso = early ? `${early[1]}T${early[2]}` : `${year}-${number}-${day}T${time}`;
  const date = new Date(`${iso}Z`);
  // JavaScript reads a 31st of February as a day of March, and weekdays not at all.
  const isDate = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso);
  const spelled = isDate ? contractDate(date) : "";
  if (!isDate || (early === null && spelled !== text)) {
    throw new Refusal('created_at is not a date such as "Wed Aug 27 13:08:45 +0000 2008"');
  }
  return { text: spelled, ms: date.getTime() };
}

const contractForm = /^\w{3} (\w{3}) (\d\d) (\d\d:\d\d:\d\d) \+0000 (\d{4})$/;
/** In the archives of 2012 to 2018: "2016-05-15 18:22:33 +0000". */
const formOf2012 = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) \+0000$/;
