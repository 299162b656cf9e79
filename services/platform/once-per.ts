/**
 * A function that makes its result once for each object, as long as that object lives: what is compiled from a descriptor, for example,
 * since reading one option of it takes 10 µs.
 * @param make is called again after it has thrown
 */
export function oncePer<K extends object, V extends NonNullable<unknown>>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => {
    let known = made.get(key);
    if (known === undefined) {
      known = make(key);
      made.set(key, known);
    }
    return known;
  };
}
