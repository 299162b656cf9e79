/** A failure that its message explains in full; shown without a stack trace. */
export class UserError extends Error {
  override name = "UserError";
}

/** Why a user or status cannot be imported. The message follows its position. */
export class Refusal extends Error {
  override name = "Refusal";
}

/** Runs the parser of a nested value, so that its refusals name the whole path: "entities.urls[0].url is missing". */
export function atPath<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(`${path}.${error.message}`);
    throw error;
  }
}

/** The reason of a refusal. @throws the error itself when it is none, since that is a defect */
export function refusalReason(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  throw error;
}
