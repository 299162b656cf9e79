import { randomNumbers } from "./random-numbers.ts";

/**
 * A draw of `length` numbers below `count` by Zipf's law: the number of rank r occurs in proportion to 1 / r. The same seed gives
 * the same draw.
 */
export function zipfDraw(count: number, length: number, seed = 20_120_827): Uint16Array {
  const reach: number[] = [];
  for (let place = 1, sum = 0; place <= count; place++) reach.push((sum += 1 / place));
  const whole = reach[count - 1] as number;
  const random = randomNumbers(seed);
  return Uint16Array.from({ length }, () => firstAbove(reach, random() * whole));
}

function firstAbove(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
