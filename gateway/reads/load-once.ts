import { Code, ConnectError } from "@connectrpc/connect";

/** Loads what a key names, mostly once for all callers that wait for it. Rejects as `load` does, but never because of another caller's deadline. */
export type LoadOnce<T> = (key: string, load: () => Promise<T>) => Promise<T>;

/** Coalesces loads of the same key (single flight). */
export function createLoadOnce<T>(): LoadOnce<T> {
  const loading = new Map<string, Promise<T>>();
  const loadOnce: LoadOnce<T> = (key, load) => {
    const current = loading.get(key);
    if (current !== undefined) {
      return current.catch((error: unknown) => {
        if (!(error instanceof ConnectError) || error.code !== Code.DeadlineExceeded) throw error;
        return loadOnce(key, load);
      });
    }
    const forget = () => void (loading.get(key) === promise && loading.delete(key));
    const stalled = setTimeout(forget, stalledMs);
    const promise = load().finally(() => {
      clearTimeout(stalled);
      forget();
    });
    loading.set(key, promise);
    return promise;
  };
  return loadOnce;
}

/** Milliseconds after which later callers start a load of their own: the service of the first one may hang. */
const stalledMs = 250;
