/** A facet's state as a reply shows it, as one text. */
export type State = string;

/**
 * Every state that one facet of one user was in, in order. Two writers make the same change, and the next change begins when both
 * have been answered. So from the first answer on every read must show the new state.
 */
export class History {
  readonly #states: State[];
  /** Whether a change is under way, whose state may be visible already. */
  #open = false;

  constructor(first: State) {
    this.#states = [first];
  }

  /** To be called before a change is sent. */
  begin(): void {
    this.#open = true;
  }

  /** To be called when one of its writers was answered. */
  acknowledge(state: State): void {
    if (!this.#open) return;
    this.#states.push(state);
    this.#open = false;
  }

  /** The number of acknowledged changes; to be taken before a read is sent. */
  get acknowledged(): number {
    return this.#states.length - 1;
  }

  /** The number of changes that a read that ends now may show. */
  get begun(): number {
    return this.acknowledged + (this.#open ? 1 : 0);
  }

  get latest(): State {
    return this.#states.at(-1) as State;
  }

  /**
   * Finds a state that a read shows: the index of the oldest match, when the read began with `from` changes acknowledged and ended with
   * `to` begun, by a reader who has seen the state of index `seen`; -1 when there is none. While a change is under way, an unknown
   * state counts as its state.
   */
  find(state: State, from: number, to: number, seen = 0): number {
    for (let index = Math.max(from, seen); index <= to; index++) {
      if (index >= this.#states.length || this.#states[index] === state) return index;
    }
    return -1;
  }

  /** Whether the state of this index is known yet. */
  knows(index: number): boolean {
    return index < this.#states.length;
  }
}
