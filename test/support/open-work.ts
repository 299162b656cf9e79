/** Work that runs until the test ends it, and notes its name when it starts. */
export function openWork(started: string[] = [], name = "") {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => (started.push(name), ended), end };
}
