/**
 * When an imported status was written, in milliseconds where its id says so: Twitter's ids do ("snowflake", milliseconds since
 * 2010-11-04T01:42:54.657Z above 22 other bits). Dates in files have whole seconds.
 */
export function importedTime(origin: string, originId: string, createdAt: Date): Date {
  if (!snowflakes.has(origin) || !/^\d{10,19}$/.test(originId)) return createdAt;
  const milliseconds = Number(BigInt(originId) >> 22n) + twitterEpoch;
  const isThatSecond = Math.floor(milliseconds / 1_000) * 1_000 === createdAt.getTime();
  return isThatSecond ? new Date(milliseconds) : createdAt;
}

const snowflakes = new Set(["twitter", "sample"]);
const twitterEpoch = 1_288_834_974_657;
