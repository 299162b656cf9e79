import { randomBytes, randomUUID } from "node:crypto";
import { recordReplies } from "../baselines/recording.ts";
import { readNames } from "../dataset/datasets.ts";
import type { Target } from "../load/load.ts";
import { randomNumbers } from "../load/random.ts";
import { sendRequest } from "../load/send-request.ts";

/** The timeline of 20 of each of these users. */
export function timelines(names: readonly string[] = readNames, headers: Target["headers"] = {}): Target[] {
  return names.map((name) => ({ path: `/social/${name}/timelines?take=20`, headers }));
}

/** The same by POST, on a generic route, as ServiceStack's clients send it. */
export function posts(): Target[] {
  return readNames.map((screenName) => post("SocialTimelines", { screenName, take: 20 }));
}

/** Ten timelines of 20 in each. */
export function batches(): Target[] {
  return nameLists(10).map((names) =>
    post(
      "SocialTimelines[]",
      names.map((screenName) => ({ screenName, take: 20 })),
    ),
  );
}

function post(operation: string, body: object): Target {
  const headers = { "content-type": "application/json" };
  return { path: `/json/reply/${operation}`, headers, body: JSON.stringify(body) };
}

/** A hundred users by name in each. */
export function profiles(): Target[] {
  return nameLists(100).map((names) => ({ path: `/social/${names.join(",")}`, headers: {} }));
}

/** 200 lists of so many names, none twice in a list. */
function nameLists(length: number): string[][] {
  const random = randomNumbers(7);
  return Array.from({ length: 200 }, () => drawNames(readNames, length, random));
}

/** So many of these names, none twice. */
export function drawNames(names: readonly string[], length: number, random: () => number): string[] {
  const drawn = new Set<string>();
  while (drawn.size < length) drawn.add(names[Math.floor(random() * names.length)] as string);
  return [...drawn];
}

/** Each target with the entity tag of its reply. */
export async function withTags(url: string, targets: readonly Target[]): Promise<Target[]> {
  const replies = await recordReplies(url, targets, 200);
  return targets.map(({ path, headers }) => {
    const fields = replies.get(path)?.headers ?? [];
    const at = fields.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "etag");
    if (at === -1) throw new Error(`${path} has no entity tag`);
    return { path, headers: { ...headers, "if-none-match": fields[at + 1] as string } };
  });
}

/** A user of this run, signed in. */
export interface Viewer {
  userName: string;
  userId: bigint;
  sessionId: string;
}

/** Registers a user under a name of its own. */
export async function registerViewer(url: string): Promise<Viewer> {
  const userName = `u${randomBytes(9).toString("hex")}`;
  const body = JSON.stringify({ userName, password: randomUUID(), autoLogin: true });
  const reply = await sendRequest(url, "/register", { "content-type": "application/json" }, body);
  if (reply.status !== 200) throw new Error(`a registration was answered ${reply.status}`);
  const { userId, sessionId } = JSON.parse(reply.body.toString()) as { userId: string; sessionId: string };
  return { userName, userId: BigInt(userId), sessionId };
}

export function bearer({ sessionId }: Viewer): Target["headers"] {
  return { authorization: `Bearer ${sessionId}` };
}

export function cookie({ sessionId }: Viewer): Target["headers"] {
  return { cookie: `ss-id=${sessionId}` };
}
