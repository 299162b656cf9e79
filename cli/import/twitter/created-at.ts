import { months, weekdays } from "../../../services/platform/contract-date.ts";
import type { JsonObject } from "../../json/json.ts";
import { Refusal } from "../../refusal.ts";
import { requiredTextOf } from "./fields.ts";

/** A moment, as the origin writes it and as a number. */
export interface CreatedAt {
  /** Such as "Wed Aug 27 13:08:45 +0000 2008". */
  text: string;
  /** Milliseconds since 1970. */
  ms: number;
}

/**
 * Reads `created_at`.
 * @throws Refusal unless it is a date that exists, spelled as the contract spells dates (contract §3).
 */
export function createdAtOf(object: JsonObject): CreatedAt {
  const text = requiredTextOf(object, "created_at");
  if (text !== latest.text) latest = parse(text);
  return latest;
}

/** The time that was read last: a status's is asked for several times, one after the other. */
let latest: CreatedAt = { text: "", ms: 0 };

function parse(text: string): CreatedAt {
  const [, weekday = "", month = "", day, hour, minute, second, year] = pattern.exec(text) ?? [];
  const ms = Date.UTC(Number(year), months.indexOf(month), Number(day), Number(hour), Number(minute), Number(second));
  const date = new Date(ms);
  // Date.UTC would turn a 31st of February into a day of March, and year 1 into 1901.
  const exists = date.getUTCDate() === Number(day) && date.getUTCFullYear() === Number(year);
  if (!exists || weekdays[date.getUTCDay()] !== weekday) {
    throw new Refusal('created_at is not a date such as "Wed Aug 27 13:08:45 +0000 2008"');
  }
  return { text, ms };
}

const pattern = /^(\w{3}) (\w{3}) (\d\d) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d) \+0000 (\d{4})$/;
