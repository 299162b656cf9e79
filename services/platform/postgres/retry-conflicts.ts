import { isRetriable } from "./failures.ts";

/** Runs a write again, at most four times, after a conflict with another write, or when another one has taken a name since it was looked up. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 5 || !isRetriable(error)) throw error;
    }
  }
}
