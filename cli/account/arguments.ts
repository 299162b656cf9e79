import { UsageError } from "../usage-error.ts";

/** The one name that a command takes. @throws UsageError */
export function oneName([name, ...more]: readonly string[]): string {
  if (name === undefined) throw new UsageError("The name of a user is missing.");
  // The extra argument may be a password, so the message does not repeat it.
  if (more.length > 0) throw new UsageError("This takes one name and nothing else.");
  return name;
}

/** The one id that a command takes. @throws UsageError */
export function oneId([id = "", ...more]: readonly string[]): bigint {
  if (!/^[1-9]\d{0,15}$/.test(id) || more.length > 0) throw new UsageError("This takes one number, as it is listed.");
  return BigInt(id);
}

/** @throws UsageError if there are any arguments */
export function noArguments(rest: readonly string[]): void {
  if (rest.length > 0) throw new UsageError("This takes no arguments.");
}

/** An option's number from 1 to `max`. @throws UsageError */
export function wholeNumber(option: string, text: string, max: number): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  throw new UsageError(`--${option} takes a whole number from 1 to ${max}.`);
}
