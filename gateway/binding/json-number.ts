/**
 * The number that a valid JSON token stands for. One that only a double takes for whole, such as 1.0000000000000000001, becomes
 * one that is not whole, the nearest there is: an integer is a number without a fraction (contract §2), and 1.0 has none.
 */
export function parseNumber(token: string): number {
  const value = Number(token);
  if (!Number.isInteger(value)) return value;
  const [, digits = "", fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  return isWhole(digits + fraction, Number(exponent) - fraction.length) ? value : besides(value);
}

/** The nearest number that is not whole, in the direction away from 0. */
function besides(whole: number): number {
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
