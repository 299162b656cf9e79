/** Numbers from 0 to 1, without 1, that look random and are the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

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
