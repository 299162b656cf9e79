import { type Person, password } from "./people.ts";

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
export async function signUp(system: { url: string }, name: string, fields: Fields = {}): Promise<Visitor> {
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
