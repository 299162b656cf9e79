import { WrongCall } from "../wrong-call.ts";

/** The one name that a command takes. @throws WrongCall */
export function oneName([name, ...more]: readonly string[]): string {
  if (name === undefined) throw new WrongCall("Whose account? The name of a user is missing.");
  // What stands behind a name may be a password, which is never repeated.
  if (more.length > 0) throw new WrongCall("This takes one name, and nothing behind it.");
  return name;
}

/** The one id that a command takes. @throws WrongCall */
export function oneId([id = "", ...more]: readonly string[]): bigint {
  if (!/^[1-9]\d{0,15}$/.test(id) || more.length > 0) throw new WrongCall("This takes one number, as it is listed.");
  return BigInt(id);
}

/** @throws WrongCall when there are arguments */
export function nothing(rest: readonly string[]): void {
  if (rest.length > 0) throw new WrongCall("This takes no arguments.");
}

/** An option's number from 1 to `max`. @throws WrongCall */
export function wholeNumber(option: string, text: string, max: number): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  throw new WrongCall(`--${option} takes a whole number from 1 to ${max}.`);
}
