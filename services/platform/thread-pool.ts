import { availableParallelism } from "node:os";

// Node hashes, compresses and looks up hosts in libuv's pool of threads, of which there are four by default. With more hashes at once than
// processors, each evicts the memory of the others from the caches.

/** Threads: one for each processor, but at least two, since a lookup of a host may block one for seconds. */
const wanted = Math.min(Math.max(availableParallelism(), 2), 4);

/** The variable that libuv reads when the first work is queued. Node 20 queues some before it runs a process's own code. */
export const threadPoolSettings = { UV_THREADPOOL_SIZE: String(wanted) };

/** Limits the pool of this process, unless its environment sets a size. To be called once, when the process starts. */
export function limitThreadPool(): void {
  process.env.UV_THREADPOOL_SIZE ??= threadPoolSettings.UV_THREADPOOL_SIZE;
}

/** Threads of this process's pool. */
export function poolThreads(): number {
  return Number(process.env.UV_THREADPOOL_SIZE) || wanted;
}
