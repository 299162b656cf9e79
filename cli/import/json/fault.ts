/** Where and why a file stops being readable. What was read before it stays good. */
export class JsonFault extends Error {
  override name = "JsonFault";

  /**
   * @param reason what is wrong, in words that follow a position.
   * @param path the position inside the file, such as "[17]"; empty outside the list of items.
   */
  constructor(
    readonly reason: string,
    readonly path = "",
  ) {
    super(`${path}: ${reason}`);
  }
}
