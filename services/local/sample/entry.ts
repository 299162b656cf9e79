/** Something that somebody says at some moment, before it has an id. */
export interface Entry {
  /** The author's screen name. */
  author: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The text, in the notation of the chronicle. */
  markup: string;
  /** A name in places.ts. */
  place?: string | undefined;
  /** At least so many reposts. */
  reposts?: number | undefined;
  answers?: Entry | undefined;
  repeats?: Entry | undefined;
}
