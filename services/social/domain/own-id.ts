/**
 * The id that a status had at a system like this one, if its original id can be one: ids tell their time (design §4),
 * and that is the status's own or, where the author's clock had stepped back, up to a day later. With it an export that
 * comes back keeps its ids and its order. Twitter's own ids never pass: those below 2^53 tell other times here, but for
 * the few minutes in November 2010 in which both count alike.
 */
export function ownId(originId: string, createdAt: Date, now = Date.now()): bigint | undefined {
  if (!/^[1-9]\d{12,15}$/.test(originId)) return undefined;
  const id = BigInt(originId);
  const milliseconds = Number(id >> 12n) + epoch;
  // Dates in files have whole seconds.
  const second = Math.floor(createdAt.getTime() / 1_000) * 1_000;
  const fits = milliseconds >= second && milliseconds < second + day && milliseconds < now + 1_000;
  return fits && id < 2n ** 53n ? id : undefined;
}

const epoch = Date.UTC(2006, 0, 1);
const day = 86_400_000;
