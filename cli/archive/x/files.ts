/** The files of an X archive that are looked at, by what they hold. */
export const xFiles = {
  account: filesCalled("account"),
  protection: filesCalled("protected-history"),
  notes: filesCalled("note-tweet"),
  tweets: filesCalled("tweets?"),
  circle: filesCalled("twitter-circle-tweet"),
  messages: filesCalled("direct-messages(?:-group)?"),
} as const;

/** Whether X calls a file of an archive so. A large list goes on in -part1, -part2 and so on. */
export function isXFile(name: string): boolean {
  return Object.values(xFiles).some((is) => is(name));
}

function filesCalled(name: string): (path: string) => boolean {
  const pattern = new RegExp(`^data/${name}(?:-part[0-9]+)?\\.js$`);
  return (path) => pattern.test(path);
}
