import { compareIds } from "./twitter/fields.ts";

/** The versions of edited statuses: X writes each as a status of its own. Only the last one that is there is imported. */
export class EditChains {
  /** By the first id. */
  readonly #chains = new Map<string, Set<string>>();

  /** @param versions all ids of a status, in their order; empty for a status that was not edited */
  add(versions: readonly string[]): void {
    const [first] = versions;
    if (first === undefined) return;
    const chain = this.#chains.get(first) ?? new Set();
    for (const id of versions) chain.add(id);
    this.#chains.set(first, chain);
  }

  /** The ids of the statuses that are there and of which there is a later version. */
  earlier(isThere: (id: string) => boolean): string[] {
    return [...this.#chains.values()].flatMap((chain) => [...chain].filter(isThere).sort(compareIds).slice(0, -1));
  }
}
