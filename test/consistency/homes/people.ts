import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { pick } from "../../support/pick.ts";
import type { Cluster } from "../cluster.ts";
import { all, Fact, rememberedMs } from "./facts.ts";

export interface HomePerson {
  id: bigint;
  name: string;
  session: string;
  /** Whom the user follows and has muted, by user. Blocks end follows in both directions. */
  follows: Map<HomePerson, Fact>;
  mutes: Map<HomePerson, Fact>;
}

export interface Published {
  author: HomePerson;
  /** "id:author id", which names it. */
  key: string;
  id: bigint;
  begunAt: number;
  stands: Fact;
}

export type People = Awaited<ReturnType<typeof createPeople>>;

/**
 * People who act on each other through the gateways of a cluster, and what they have published.
 * @param count of users; each follows about half of the others
 */
export async function createPeople(cluster: Cluster, count: number) {
  const everybody: HomePerson[] = [];
  const published = new Map<string, Published>();
  const gone = new Set<string>();
  /** By author, the oldest first. */
  const standing = new Map<HomePerson, Published[]>();
  /** Repeats a request until it is answered; with its id it is made once. */
  async function write(path: string, session: string, body: object) {
    const requestId = randomUUID();
    for (const deadline = performance.now() + maxOutageMs; ; ) {
      const reply = await send(pick(cluster.gateways).url, path, session, { ...body, requestId }).catch(
        () => undefined,
      );
      if (reply !== undefined && reply.status < 500) return reply;
      if (performance.now() > deadline) throw new Error(`POST ${path} was not answered for minutes`);
      await sleep(Math.random() * 100);
    }
  }
  async function mustWrite(path: string, session: string, body: object) {
    const { status, json } = await write(path, session, body);
    if (status !== 200) throw new Error(`POST ${path}: ${status} ${JSON.stringify(json)}`);
    return json;
  }

  for (let index = 0; index < count; index++) {
    const userName = `p${randomBytes(5).toString("hex")}`;
    const json = await mustWrite("/register", "", { userName, password: "correct horse", autoLogin: true });
    const { userId, sessionId } = json as { userId: string; sessionId: string };
    everybody.push({ id: BigInt(userId), name: userName, session: sessionId, follows: new Map(), mutes: new Map() });
  }
  for (const person of everybody) {
    standing.set(person, []);
    for (const other of everybody.filter((one) => one !== person)) {
      person.follows.set(other, new Fact(false));
      person.mutes.set(other, new Fact(false));
    }
  }

  const about = (actor: HomePerson, user: HomePerson, what: string, body: object) => () =>
    write(`/social/${user.name}/${what}`, actor.session, body);
  const factOf = (facts: Map<HomePerson, Fact>, user: HomePerson) => facts.get(user) as Fact;

  async function publish(author: HomePerson) {
    const stands = new Fact(false);
    const begunAt = performance.now();
    await stands.change(true, async () => {
      const json = await mustWrite("/timelines/publish", author.session, { text: "hello" });
      const id = (json as { results: { id: number }[] }).results[0]?.id ?? 0;
      const key = `${id}:${author.id}`;
      const status = { author, key, id: BigInt(id), begunAt, stands };
      published.set(key, status);
      standing.get(author)?.push(status);
    });
  }
  async function deleteOldest(author: HomePerson) {
    const own = standing.get(author)?.shift();
    if (own === undefined) return;
    await own.stands.change(false, () => mustWrite("/timelines/delete", author.session, { id: `${own.id}` }));
    setTimeout(() => {
      published.delete(own.key);
      gone.add(own.key);
    }, rememberedMs).unref();
  }

  type Act = (actor: HomePerson, user: HomePerson) => Promise<unknown>;
  // Refused across a block, and only a request where the user is protected, so what it did is read from the answer.
  const follow: Act = async (actor, user) => {
    const reply = { followed: false };
    await factOf(actor.follows, user).change(true, async () => {
      const { json } = await about(actor, user, "follow", { following: true })();
      reply.followed = (json as { results?: { following: boolean }[] }).results?.[0]?.following === true;
    });
    if (!reply.followed) await unfollow(actor, user);
  };
  const unfollow: Act = (actor, user) =>
    factOf(actor.follows, user).change(false, about(actor, user, "follow", { following: false }));
  const mute: Act = (actor, user) =>
    factOf(actor.mutes, user).change(true, about(actor, user, "mute", { muted: true }));
  const unmute: Act = (actor, user) =>
    factOf(actor.mutes, user).change(false, about(actor, user, "mute", { muted: false }));
  const block: Act = async (actor, user) => {
    const block = about(actor, user, "block", { blocked: true });
    await factOf(actor.follows, user).change(false, () => factOf(user.follows, actor).change(false, block));
    await about(actor, user, "block", { blocked: false })();
  };
  // Whom a protected user writes for are those who follow already.
  const protect: Act = (actor) => mustWrite("/profile", actor.session, { protected: Math.random() < 0.5 });

  /** How often each comes; most people are followed and not muted, so that homes hold much. */
  const shares: readonly (readonly [Act, number])[] = [
    [publish, 5],
    [deleteOldest, 1],
    [follow, 4],
    [unfollow, 1],
    [mute, 1],
    [unmute, 4],
    [block, 1],
    [protect, 1],
  ];
  const acts = shares.flatMap(([act, share]) => Array.from({ length: share }, () => act));

  /** One random act of this person. */
  async function act(person: HomePerson): Promise<void> {
    if ((standing.get(person)?.length ?? 0) > maxStanding) return deleteOldest(person);
    await pick(acts)(person, pick(everybody.filter((one) => one !== person)));
  }
  /** Whether a reader is shown a status throughout this time; undefined where both may be right. */
  function isShown(reader: HomePerson, { author, stands }: Published, begin: number, end: number): boolean | undefined {
    const stood = stands.during(begin, end);
    if (reader === author) return stood;
    const muted = factOf(reader.mutes, author).during(begin, end);
    const heard = muted === undefined ? undefined : !muted;
    return all([stood, factOf(reader.follows, author).during(begin, end), heard]);
  }

  for (const person of everybody) {
    for (const [user, fact] of person.follows) {
      if (Math.random() < 0.5) await fact.change(true, about(person, user, "follow", { following: true }));
    }
    await publish(person);
  }
  return {
    all: everybody as readonly HomePerson[],
    published,
    /** What was published and nobody deletes yet. */
    standing: () => [...standing.values()].flat(),
    /** The keys of statuses that were deleted so long ago that only these are remembered. */
    gone,
    isShown,
    act,
  };
}

/** So that all that stands fits on a page. */
const maxStanding = 6;
const maxOutageMs = 180_000;

/** A request of a signed-in user: a GET without a body. */
export async function send(url: string, path: string, session: string, body?: object) {
  const response = await fetch(new URL(path, url), {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(session !== "" && { authorization: `Bearer ${session}` }),
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  return { status: response.status, json: (await response.json()) as unknown };
}
