/** At most this many items go out in one message. The services take 1,000; half of that keeps a call short. */
const maxBatchItems = 500;
/** At most this many bytes of items go out in one message, and a larger item is refused. The services take 4 MiB. */
export const maxBatchBytes = 1024 * 1024;

/**
 * Cuts items into batches within both limits, in their order. A group that fits into one batch is not cut. An item that is too
 * large alone is a batch alone.
 */
export function* batchesOf<T>(groups: Iterable<readonly T[]>, bytesOf: (item: T) => number): Generator<T[]> {
  let batch: T[] = [];
  let bytes = 0;
  const isFull = (items: number, size: number) =>
    batch.length > 0 && (batch.length + items > maxBatchItems || bytes + size > maxBatchBytes);
  for (const group of groups) {
    let groupBytes = 0;
    for (const item of group) groupBytes += bytesOf(item);
    if (isFull(group.length, groupBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    for (const item of group) {
      const size = bytesOf(item);
      if (isFull(1, size)) {
        yield batch;
        [batch, bytes] = [[], 0];
      }
      batch.push(item);
      bytes += size;
    }
  }
  if (batch.length > 0) yield batch;
}
