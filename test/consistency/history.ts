/** What of a user can be seen, as one word: the newest status, the description, the number of statuses, or that it is closed. */
export type Sight = string;

/**
 * Every state that one user was in, in order. Writes to one user are made one after the other, so that after each its
 * acknowledgement says what is to be seen from then on.
 */
export class History {
  readonly #states: Sight[];
  /** Whether a write is under way, whose state may be seen already. */
  #open = false;
  #last: Sight;

  constructor(first: Sight) {
    this.#states = [first];
    this.#last = first;
  }

  /** A write is about to be sent. */
  begin(): void {
    this.#open = true;
  }

  /** The write was acknowledged. */
  acknowledge(state: Sight): void {
    this.#states.push(state);
    this.#last = state;
    this.#open = false;
  }

  /** How many writes are acknowledged; to be taken before a read is sent. */
  get acknowledged(): number {
    return this.#states.length - 1;
  }

  /** How many writes a read that ends now may have seen. */
  get begun(): number {
    return this.acknowledged + (this.#open ? 1 : 0);
  }

  get latest(): Sight {
    return this.#last;
  }

  /**
   * Whether a read that began when `from` writes were acknowledged, and ended when `to` were begun, may have seen this.
   * Undefined while the state of a write under way is not known.
   */
  allows(sight: Sight, from: number, to: number): boolean | undefined {
    if (this.#states.slice(from, to + 1).includes(sight)) return true;
    return to >= this.#states.length ? undefined : false;
  }
}
