import { cases } from "./cases.ts";
import { describeCase, type FuzzCase, type FuzzReply } from "./fuzz-case.ts";
import { judgeReply } from "./judge-reply.ts";
import { runBatches } from "./run-batches.ts";
import { type SendCase, whileSending } from "./send-case.ts";

export interface FuzzTarget {
  url: string;
  /** Throws when the server has logged a defect since the last call. */
  checkLog(): void;
  /** Session and ids of the system, which replace placeholders; only for our own systems. */
  known?: KnownWords;
  /** As `whileSending` takes it. */
  deadlineMs?: number;
}

export interface KnownWords {
  /** Replaces the placeholders of a case. */
  fill(asked: FuzzCase): FuzzCase;
  /** To be called with every reply, which may contain a new session id. */
  note(reply: FuzzReply): void;
  /** Registers new users whose sessions are sent: the earlier ones may be signed out or deleted. */
  renew(): Promise<void>;
}

/**
 * Sends `count` requests made from `seed` and checks every reply.
 * @throws Error with seed and cases when a reply breaks the contract or is missing, or the server logs a defect
 */
export function fuzzHttp(target: FuzzTarget, count: number, seed: number): Promise<void> {
  return whileSending(target, (send) =>
    runBatches(
      {
        name: "HTTP fuzzer",
        cases,
        concurrentBatches: 1,
        concurrentCases: 16,
        describe: describeCase,
        run: async (asked) => judgeReply(await sendKnown(send, target, asked), asked),
        checkHealth: async () => {
          await checkNormalRequest(send);
          target.checkLog();
          await target.known?.renew();
        },
      },
      count,
      seed,
    ),
  );
}

/** Sends a case with its placeholders replaced. */
export async function sendKnown(send: SendCase, { known }: FuzzTarget, asked: FuzzCase): Promise<FuzzReply> {
  const reply = await send(known?.fill(asked) ?? asked);
  known?.note(reply);
  return reply;
}

/**
 * Throws unless a normal request gets the usual reply.
 * @param tries of a server with short timeouts: on a busy machine this process may be paused between the connection and the request
 */
export async function checkNormalRequest(send: SendCase, tries = 1): Promise<void> {
  const target = "/json/reply/SocialUsers";
  const { status, body } = await send({ method: "GET", target, headers: [], body: Buffer.alloc(0), chunked: false });
  if (status === 408 && tries > 1) return checkNormalRequest(send, tries - 1);
  if (status !== 200 || body.toString() !== '{"results":[]}')
    throw new Error(`a normal request got ${status} ${body.toString()}`);
}
