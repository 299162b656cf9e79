/** Why a value cannot be read. Returned, not thrown: all bad fields of a request are reported together. */
export class Fault {
  /** Completes "'Field Name' …"; it never repeats the value, which may be a password. */
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}
