/** Why a value cannot be read. Returned, not thrown: all bad fields of a request are reported together. */
export class Fault {
  /** @param reason completes "'Field Name' …"; it never repeats the value, which may be a password. */
  constructor(readonly reason: string) {}
}
