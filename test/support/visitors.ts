import { type Person, password, protect, publish } from "./people.ts";
import type { TestSystem } from "./system.ts";

/** A user who registered over HTTP and is signed in. */
export interface Visitor extends Person {
  session: string;
  cookie: string | null;
}

type Fields = Record<string, unknown>;

export interface Reply {
  status: number;
  /** The results of the body; empty when it has none. */
  results: Fields[];
  errorCode: unknown;
}

/** Registers a user. Throws when that is refused. */
export async function signUp(system: TestSystem, name: string, fields: Fields = {}): Promise<Visitor> {
  const body = JSON.stringify({ userName: name, password, autoLogin: true, ...fields });
  const response = await fetch(`${system.url}/register`, { method: "POST", body });
  if (response.status !== 200) throw new Error(`${name} was refused: ${await response.text()}`);
  const { userId, sessionId } = (await response.json()) as { userId: string; sessionId: string };
  return { id: BigInt(userId), name, session: sessionId, cookie: response.headers.get("set-cookie") };
}

/** The reply of a gateway to a viewer, or to an anonymous caller; with a body it is a POST. */
export async function askAs({ url }: { url: string }, path: string, session?: string, body?: string): Promise<Reply> {
  const headers: Record<string, string> = session === undefined ? {} : { authorization: `Bearer ${session}` };
  const response = await fetch(`${url}${path}`, { headers, ...(body !== undefined && { method: "POST", body }) });
  const { results = [], responseStatus } = (await response.json()) as { results?: Fields[]; responseStatus?: Fields };
  return { status: response.status, results, errorCode: responseStatus?.errorCode };
}

/**
 * A protected user with one status, and users with different relations to that user, each as a session.
 * @param suffix of their names, for one more such group in a system
 */
export async function startProtected(system: TestSystem, suffix = "") {
  const { follow, approveFollower, unfollow } = system.clients.graph;
  const [author, approved, waiting, former, stranger] = (await Promise.all(
    ["author", "approved", "waiting", "former", "stranger"].map((name) => signUp(system, name + suffix)),
  )) as [Visitor, Visitor, Visitor, Visitor, Visitor];
  await publish(system, author, "whispered");
  await protect(system, author);
  for (const { id: followerId } of [approved, waiting, former]) await follow({ followerId, userId: author.id });
  for (const { id: followerId } of [approved, former]) await approveFollower({ followerId, userId: author.id });
  await unfollow({ followerId: former.id, userId: author.id });
  return { author, approved, waiting, former, stranger };
}
