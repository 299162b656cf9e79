/** A failure whose message tells the operator all there is to know; it is shown without a stack trace. */
export class UserError extends Error {
  override name = "UserError";
}
