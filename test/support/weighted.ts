import fc from "fast-check";

/** One of several kinds of values, each as often as its weight says. */
export function weighted<Kinds extends unknown[]>(
  ...choices: { [I in keyof Kinds]: [weight: number, arbitrary: fc.Arbitrary<Kinds[I]>] }
): fc.Arbitrary<Kinds[number]> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}
