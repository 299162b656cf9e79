/** One field of each item, in their order. */
export function valuesOf<T, Name extends keyof T>(items: readonly T[], name: Name): T[Name][] {
  return items.map((item) => item[name]);
}
