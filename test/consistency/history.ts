/** What of one facet can be seen, as one word. */
export type Sight = string;

/**
 * Every state that one facet of one user was in, in order. Two writers make each change, both the same one, and the next
 * change begins when both have been answered: so from the first answer on every read has to show the new state.
 */
export class History {
  readonly #states: Sight[];
  /** Whether a change is under way, whose state may be seen already. */
  #open = false;

  constructor(first: Sight) {
    this.#states = [first];
  }

  /** A change is about to be sent. */
  begin(): void {
    this.#open = true;
  }

  /** One of its writers was answered. */
  acknowledge(state: Sight): void {
    if (!this.#open) return;
    this.#states.push(state);
    this.#open = false;
  }

  /** How many changes are acknowledged; to be taken before a read is sent. */
  get acknowledged(): number {
    return this.#states.length - 1;
  }

  /** How many changes a read that ends now may have seen. */
  get begun(): number {
    return this.acknowledged + (this.#open ? 1 : 0);
  }

  get latest(): Sight {
    return this.#states.at(-1) as Sight;
  }

  /**
   * The oldest state that a read may have seen which began when `from` changes were acknowledged and ended when `to` were
   * begun, by a reader who has seen the state `seen`; -1 where there is none. While the state of a change under way is not
   * known, a sight that is no other one's counts as that.
   */
  find(sight: Sight, from: number, to: number, seen = 0): number {
    for (let index = Math.max(from, seen); index <= to; index++) {
      if (index >= this.#states.length || this.#states[index] === sight) return index;
    }
    return -1;
  }

  /** Whether the state of this index is known by now. */
  knows(index: number): boolean {
    return index < this.#states.length;
  }
}
