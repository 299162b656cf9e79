/** A failure that its message explains in full; shown without a stack trace. */
export class UserError extends Error {
  override name = "UserError";
}

/** No user of the system has this name. */
export function noSuchUser(name: string): UserError {
  return new UserError(`There is no user ${JSON.stringify(name)} here.`);
}
