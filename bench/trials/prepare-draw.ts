import { randomBytes, randomUUID } from "node:crypto";
import { type Recording, recordReplies } from "../baselines/recording.ts";
import type { Draw, Target } from "../load/load.ts";
import { zipfDraw } from "../load/zipf.ts";
import type { Trial } from "./trial.ts";

/** The requests of a case for one system, and its reply to each. The system has answered all of them once when this resolves. */
export async function prepareDraw(trial: Trial, url: string): Promise<{ draw: Draw; recording: Recording }> {
  const plain = trial.signedInBy ? await signedIn(url, trial.targets, trial.signedInBy) : trial.targets;
  const targets = trial.isConditional ? await withTags(url, plain) : plain;
  const isRefused = trial.isUnknown ?? false;
  const recording = await recordReplies(url, targets, trial.isConditional ? 304 : isRefused ? 404 : 200);
  return { draw: { targets, order: zipfDraw(targets.length, drawLength), isRefused }, recording };
}

/** Requests before a draw begins again. */
const drawLength = 100_000;

/** The targets with the session of a new user. */
export async function signedIn(url: string, targets: readonly Target[], by: "bearer" | "cookie"): Promise<Target[]> {
  const userName = `reader_${randomBytes(6).toString("hex")}`;
  const body = JSON.stringify({ userName, password: randomUUID(), autoLogin: true });
  const reply = await fetch(`${url}/register`, { method: "POST", body });
  const { sessionId } = (await reply.json()) as { sessionId: string };
  const header: Target["headers"] =
    by === "bearer" ? { authorization: `Bearer ${sessionId}` } : { cookie: `ss-id=${sessionId}` };
  return targets.map((target) => ({ ...target, headers: { ...target.headers, ...header } }));
}

async function withTags(url: string, targets: readonly Target[]): Promise<Target[]> {
  const replies = await recordReplies(url, targets, 200);
  return targets.map(({ path, headers }) => {
    const fields = replies.get(path)?.headers ?? [];
    const at = fields.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "etag");
    if (at === -1) throw new Error(`${path} has no entity tag`);
    return { path, headers: { ...headers, "if-none-match": fields[at + 1] as string } };
  });
}
