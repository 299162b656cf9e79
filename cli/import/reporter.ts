/** Hears how an import goes. */
export interface ImportReporter {
  /** One thing did not go in. `place` is a position such as "tweets.json[17].retweeted_status". */
  refused(place: string, reason: string): void;
  /** Called often; showing less than that is the reporter's business. */
  progress(progress: Progress): void;
}

export interface Progress {
  phase: "reading" | "users" | "statuses" | "undoing" | "exporting";
  /** How many items, users or statuses. */
  done: number;
  /** How much of the phase is done, 0 to 1; undefined when the sources do not tell. */
  share: number | undefined;
}
