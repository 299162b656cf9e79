import { jsonString } from "./json-string.ts";

/**
 * Makes numbers of a valid JSON text that only a double takes for whole, such as 1.0000000000000000001, ones that are not
 * whole either way: an integer is a number without a fraction (contract §2), and 1.0 has none.
 */
export function keepFractions(text: string): string {
  return suspicious.test(text) ? text.replace(stringOrNumber, keepFraction) : text;
}

// No double rounds a fraction away that has fewer than seventeen digits, unless it is smaller than 10^-300. What a string holds
// looks suspicious as well; that costs time and changes nothing.
const suspicious = /[[:,]\s*-?(?:(?=[\d.]{17})\d+[.eE]|[\d.]+[eE]-0*\d{3})/;
const stringOrNumber = new RegExp(`${jsonString}|-?(\\d+)(?:\\.(\\d+))?(?:[eE]([+-]?\\d+))?`, "g");

function keepFraction(token: string, digits?: string, fraction = "", exponent = "0"): string {
  if (digits === undefined || !Number.isInteger(Number(token))) return token;
  return isWhole(digits + fraction, Number(exponent) - fraction.length) ? token : "0.5";
}

/** Whether digits × 10^shift is a whole number. */
function isWhole(digits: string, shift: number): boolean {
  let last = digits.length - 1;
  while (last >= 0 && digits[last] === "0") last--;
  return last < 0 || digits.length - 1 - last + shift >= 0;
}
