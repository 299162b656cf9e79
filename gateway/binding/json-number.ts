/**
 * The number of a valid JSON token. A number whose fraction a double would lose, such as 1.0000000000000000001, becomes the next
 * double with a fraction, because a number with a fraction is no integer (contract §2); 1.0 is an integer.
 */
export function parseNumber(token: string): number {
  const value = Number(token);
  if (!Number.isInteger(value)) return value;
  const [, digits = "", fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  return isWhole(digits + fraction, Number(exponent) - fraction.length) ? value : nextFraction(value);
}

/** The next double with a fraction, of a larger absolute value if there is one. */
function nextFraction(whole: number): number {
  if (whole === 0) return Number.MIN_VALUE;
  return Math.abs(whole) < maxFraction ? whole * (1 + Number.EPSILON) : Math.sign(whole) * (maxFraction - 0.5);
}

/** From here on doubles have no fractions of a half. */
const maxFraction = 2 ** 52;

/** Whether digits × 10^shift is a whole number. */
function isWhole(digits: string, shift: number): boolean {
  let last = digits.length - 1;
  while (last >= 0 && digits[last] === "0") last--;
  return last < 0 || digits.length - 1 - last + shift >= 0;
}
