export function enumName(values: Record<string, number>, value: number): string {
  const name = Object.keys(values).find((key) => values[key] === value);
  if (name === undefined) throw new Error(`There is no value ${value} of this enum`);
  return name;
}
