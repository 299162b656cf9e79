import { isRetriable } from "./failures.ts";

/** Runs a write again, four times at most, after a conflict with another one, or where that has taken a name since it was looked up. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 5 || !isRetriable(error)) throw error;
    }
  }
}
