/** Where and why a file stops being readable. What was read before it stays good. */
export class JsonFault extends Error {
  override name = "JsonFault";
  readonly reason: string;
  readonly path: string;

  /**
   * @param reason what is wrong, in words that follow a position.
   * @param path the position inside the file, such as "[17]"; empty outside the list of items.
   */
  constructor(reason: string, path = "") {
    super(`${path}: ${reason}`);
    this.reason = reason;
    this.path = path;
  }
}
