import http from "node:http";
import { decoded } from "../support/decoded.ts";
import { sendHttp } from "../support/http.ts";
import type { States } from "./facets.ts";

// Idle connections are closed by this side: a gateway does so after 72 s, and a request may be under way by then.
const agent = new http.Agent({ keepAlive: true, maxSockets: 256, timeout: 30_000 });

export function endReads(): void {
  agent.destroy();
}

/** No reply, or 503 or 504, as is allowed while a process restarts. */
export class Unavailable extends Error {
  override name = "Unavailable";
}

/** The encoding that a read accepts; a quarter of the reads accept compressed replies, which are cached apart. */
export type Encoding = "gzip" | "identity";

/** Reads a user by the newest status of the timeline. Throws when the reply is an error, but not when the user is protected. */
export async function readTimeline(gateway: string, screenName: string, encoding?: Encoding): Promise<States> {
  const { status, body } = await send(`${gateway}/social/${screenName}/timelines?take=1`, { encoding });
  if (status === 401) return { protection: "protected" };
  const { results } = parse(status, body) as { results: { id: number; user: Profile }[] };
  const [newest] = results;
  if (newest === undefined) throw new Error("every user has a status");
  return { ...profileStates(newest.user), statuses: `${newest.id} of ${newest.user.statuses_count}` };
}

/** Reads users by one lookup. Throws as `readTimeline` does. */
export async function readProfiles(
  gateway: string,
  screenNames: readonly string[],
  encoding?: Encoding,
): Promise<States[]> {
  const { status, body } = await send(`${gateway}/social/${screenNames.join(",")}`, { encoding });
  const { results } = parse(status, body) as { results: Profile[] };
  if (results.length !== screenNames.length) throw new Error("a user is missing");
  return results.map((profile) => {
    const states = profileStates(profile);
    if (profile.protected) return states;
    return { ...states, statuses: `${profile.status?.id ?? 0} of ${profile.statuses_count}` };
  });
}

interface SignedInRead {
  screenName: string;
  other: string;
  sessionId: string;
  by: ViewerRead;
  encoding?: Encoding | undefined;
}

/** What a signed-in reader sees of a user, by a lookup or by the timeline; undefined when the reader is treated as anonymous. */
export async function readAsViewer(gateway: string, read: SignedInRead): Promise<States | undefined> {
  const { screenName, other, sessionId, by, encoding } = read;
  const item = { screenName, take: 1 };
  const [path, json]: [string, string?] =
    by === "batch"
      ? ["json/reply/SocialTimelines[]", JSON.stringify([item, item])]
      : [`social/${pathOf(screenName, other, by)}`];
  const { status, body, isPrivate } = await send(`${gateway}/${path}`, { sessionId, encoding, json });
  if (by !== "lookup" && by !== "lookup of two") {
    if (status === 401) return undefined;
    // An anonymous caller would get 401.
    if (status === 403) return { reading: "no" };
    const { results } = [parse(status, body)].flat().at(-1) as { results: { favorited: boolean }[] };
    return isPrivate ? { reading: "yes", mark: `${results[0]?.favorited}` } : undefined;
  }
  const [profile] = (parse(status, body) as { results: Profile[] }).results;
  if (profile === undefined) throw new Error("the user is missing");
  if (!isPrivate) return undefined;
  const { following, follow_request_sent: asked, notifications } = profile;
  const relation = following ? "follows" : asked ? "asked" : "none";
  return {
    relation: notifications ? `${relation}, notified` : relation,
    ...(profile.protected ? { reading: profile.status ? "yes" : "no" } : { mark: `${profile.status?.favorited}` }),
  };
}

/** How a viewer reads a user; a batch is one of timelines. */
export type ViewerRead = "lookup" | "lookup of two" | "timeline" | "batch";

function pathOf(screenName: string, other: string, by: ViewerRead): string {
  if (by === "lookup of two") return `${screenName},${other}`;
  return by === "lookup" ? screenName : `${screenName}/timelines?take=1`;
}

/** All ids of a timeline; undefined when it is protected. */
export async function readIds(gateway: string, screenName: string): Promise<Set<bigint> | undefined> {
  const ids = new Set<bigint>();
  for (let maxId = ""; ; ) {
    const { status, body } = await send(`${gateway}/social/${screenName}/timelines?take=200${maxId}`);
    if (status === 401) return undefined;
    const { results } = parse(status, body) as { results: { id: number }[] };
    for (const { id } of results) ids.add(BigInt(id));
    const oldest = results.at(-1);
    if (oldest === undefined) return ids;
    maxId = `&maxId=${oldest.id - 1}`;
  }
}

interface Profile {
  description: string;
  protected: boolean;
  favourites_count: number;
  friends_count: number;
  statuses_count: number;
  status?: { id: number; favorited: boolean };
  /** By a viewer. */
  following: boolean;
  follow_request_sent: boolean;
  notifications: boolean;
}

function profileStates(profile: Profile): States {
  return {
    description: profile.description,
    protection: profile.protected ? "protected" : "open",
    favourites: `${profile.favourites_count}`,
    friends: `${profile.friends_count}`,
  };
}

function parse(status: number, body: string): unknown {
  if (status === 503 || status === 504) throw new Unavailable(`${status} ${body}`);
  if (status !== 200) throw new Error(`${status} ${body}`);
  return JSON.parse(body);
}

interface Sent {
  /** Undefined: an anonymous reader. */
  sessionId?: string;
  encoding?: Encoding | undefined;
  json?: string | undefined;
}

async function send(
  url: string,
  { sessionId, encoding = Math.random() < 0.25 ? "gzip" : "identity", json }: Sent = {},
) {
  const method = json === undefined ? "GET" : "POST";
  const session = sessionId === undefined ? {} : { authorization: `Bearer ${sessionId}` };
  const content = json === undefined ? {} : { "content-type": "application/json", "content-length": json.length };
  const asked = { agent, method, headers: { "accept-encoding": encoding, ...session, ...content }, timeout: 30_000 };
  const { status, headers, body } = await sendHttp(url, { ...asked, body: json }).catch(({ message }: Error) => {
    throw new Unavailable(message);
  });
  const isPrivate = /private/.test(headers["cache-control"] ?? "");
  return { status, body: decoded(body, headers["content-encoding"]).toString(), isPrivate };
}
