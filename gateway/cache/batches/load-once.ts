import { Code, ConnectError } from "@connectrpc/connect";

/** Loads what a key names, mostly once for all that wait for it. Rejects as `load` does, never since another caller's time was over. */
export type LoadOnce<T> = (key: string, load: () => Promise<T>) => Promise<T>;

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

/** Milliseconds after which later callers load again what is still being loaded: its service may hang. */
const stalledMs = 250;
