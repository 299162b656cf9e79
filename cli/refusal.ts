/** Why one user or status cannot go in, in words that follow its position. */
export class Refusal extends Error {
  override name = "Refusal";
}

/** Runs a reader of something nested, so that its refusals name the whole path: "entities.urls[0].url is missing". */
export function within<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(`${path}.${error.message}`);
    throw error;
  }
}

/** The reason of a refusal. Anything else that was thrown is a defect and is thrown on. */
export function refusalReason(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  throw error;
}
