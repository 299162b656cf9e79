import { setTimeout as sleep } from "node:timers/promises";
import { pick } from "../support/pick.ts";
import type { Write } from "./ledger.ts";
import type { WritingClient } from "./writing-client.ts";

/** A user of the load, who makes one write after the other and checks that each is visible. */
export interface Actor {
  user: string;
  screenName: string;
  /** Statuses that stay until the end: only these are reposted. */
  permanent: string[];
  /** The user's other statuses; others may mark them, and lose the mark when they are deleted. */
  deletable: string[];
}

/** Milliseconds for which a write is repeated: longer than any fault with its recovery. */
const timeoutMs = 60_000;

/** Registers a user at the gateway and publishes the permanent statuses. Throws when that fails. */
export async function createActor(client: WritingClient, screenName: string): Promise<Actor> {
  const { id: user } = await client.write({ kind: "register", userName: screenName }, timeoutMs);
  if (user === undefined) throw new Error(`${screenName} could not be registered`);
  const actor: Actor = { user, screenName, permanent: [], deletable: [] };
  for (let index = 0; index < 2; index++) {
    const { id } = await client.write({ kind: "publish", user, text: `kept ${index}` }, timeoutMs);
    if (id === undefined) throw new Error(`${screenName} could not publish`);
    actor.permanent.push(id);
  }
  return actor;
}

/**
 * Acts at random until it is stopped, and checks after each write whether it is visible.
 * @param wrong gets what was visible and must not be
 */
export async function act(
  client: WritingClient,
  actor: Actor,
  others: readonly Actor[],
  over: AbortSignal,
  wrong: (text: string) => void,
): Promise<void> {
  const seen = new Memory(actor);
  for (let turn = 0; !over.aborted; turn++) {
    const write = chooseWrite(actor, pick(others), turn);
    const written = await client.write(write, timeoutMs);
    // After a client gave up, it is unknown what must be visible.
    if (written.outcome === "unknown") return;
    if (written.outcome === "acknowledged") seen.note(write, written.id);
    if (Math.random() < 0.7) await look(client, actor, seen, wrong);
    await sleep(Math.random() * 2 * thinkMs);
  }
}

/** Milliseconds between two writes, on average. */
const thinkMs = 120;

function chooseWrite(actor: Actor, other: Actor, turn: number): Write {
  const { user } = actor;
  const dice = Math.random();
  const marked = pick(Math.random() < 0.5 ? other.permanent : [...other.permanent, ...other.deletable]);
  if (dice < 0.3) return { kind: "publish", user, text: `turn ${turn}` };
  if (dice < 0.42 && actor.deletable.length > 0) return { kind: "delete", user, id: actor.deletable[0] as string };
  if (dice < 0.54) return { kind: "describe", user, description: `turn ${turn}` };
  if (dice < 0.7) return { kind: pick(["follow", "unfollow"] as const), user, other: other.user };
  if (dice < 0.86) return { kind: pick(["favorite", "unfavorite"] as const), user, author: other.user, id: marked };
  return { kind: pick(["repost", "repost", "unrepost"] as const), user, author: other.user, id: pick(other.permanent) };
}

/** What every reader must see of the user's own timeline after the last acknowledgement. */
class Memory {
  description = "";
  readonly #actor: Actor;
  readonly #ids: Set<string>;
  readonly #reposts = new Map<string, string>();

  constructor(actor: Actor) {
    this.#actor = actor;
    this.#ids = new Set(actor.permanent);
  }

  note(write: Write, id: string | undefined): void {
    if (write.kind === "describe") this.description = write.description;
    else if (write.kind === "publish" && id !== undefined) {
      this.#ids.add(id);
      this.#actor.deletable.push(id);
    } else if (write.kind === "delete") {
      this.#ids.delete(write.id);
      this.#actor.deletable = this.#actor.deletable.filter((id) => id !== write.id);
    } else if (write.kind === "repost" && id !== undefined) {
      this.#ids.add(id);
      this.#reposts.set(write.id, id);
    } else if (write.kind === "unrepost") this.#ids.delete(this.#reposts.get(write.id) ?? "");
  }

  newest(count: number): string {
    const ids = [...this.#ids].toSorted((a, b) => Number(b) - Number(a)).slice(0, count);
    return `${ids.join()} of ${this.#ids.size}`;
  }
}

interface Shown {
  id: number;
  statuses_count: number;
  description: string;
  status?: { id: number };
  user: Shown;
}

async function look(client: WritingClient, { screenName }: Actor, seen: Memory, wrong: (text: string) => void) {
  const byLookup = Math.random() < 0.4;
  const { status, body } = await client.get(`/social/${screenName}${byLookup ? "" : "/timelines?take=5"}`);
  // Other replies are counted where they arrive.
  if (status !== 200) return;
  const { results } = JSON.parse(body) as { results: Shown[] };
  const profile = byLookup ? results[0] : results[0]?.user;
  const ids = byLookup ? [profile?.status?.id] : results.map(({ id }) => id);
  const shown = `${ids.join()} of ${profile?.statuses_count}, ${profile?.description}`;
  const due = `${seen.newest(byLookup ? 1 : 5)}, ${seen.description}`;
  if (shown !== due) wrong(`${screenName} ${byLookup ? "looked up" : "read"}: ${shown} instead of ${due}`);
}
