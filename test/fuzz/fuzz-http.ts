import { cases } from "./cases.ts";
import { describeCase, type FuzzCase, type FuzzReply } from "./fuzz-case.ts";
import { judgeReply } from "./judge-reply.ts";
import { runBatches } from "./run-batches.ts";
import { createSender, type Sender } from "./send-case.ts";

export interface FuzzTarget {
  url: string;
  /** Throws when the server logged a defect since it was asked last. */
  checkLog(): void;
  /** What is sent in the place of words, and what is new since the batch before; of our own systems only. */
  known?: KnownWords;
  /** Milliseconds for one exchange. A slow machine with many in flight needs seconds for what takes one. */
  deadlineMs?: number;
}

export interface KnownWords {
  /** A case with the words of the system. */
  fill(asked: FuzzCase): FuzzCase;
  /** Hears of every reply, which may hold a secret. */
  note(reply: FuzzReply): void;
  /** Makes another user the one whose session is sent: the one before may be signed out or gone. */
  renew(): Promise<void>;
}

/**
 * Sends `count` requests made from `seed` and judges every reply.
 * @throws Error with seed and cases when a reply breaks the contract, none comes, or the server logs a defect
 */
export async function fuzzHttp(target: FuzzTarget, count: number, seed: number): Promise<void> {
  const sender = createSender(target.url, target.deadlineMs ?? 15_000);
  try {
    await runBatches(
      {
        name: "HTTP fuzzer",
        cases,
        batchesAtATime: 1,
        atATime: 16,
        describe: describeCase,
        run: async (asked) => judgeReply(await sendKnown(sender, target, asked), asked),
        checkHealth: async () => {
          await checkNormalRequest(sender);
          target.checkLog();
          await target.known?.renew();
        },
      },
      count,
      seed,
    );
  } finally {
    sender.close();
  }
}

/** Sends a case with the words of the system in it. */
export async function sendKnown(sender: Sender, { known }: FuzzTarget, asked: FuzzCase): Promise<FuzzReply> {
  const reply = await sender.send(known?.fill(asked) ?? asked);
  known?.note(reply);
  return reply;
}

const normal: FuzzCase = {
  method: "GET",
  target: "/json/reply/SocialUsers",
  headers: [],
  body: Buffer.alloc(0),
  chunked: false,
};

/** Throws unless an ordinary request is answered as ever. */
export async function checkNormalRequest(sender: Sender): Promise<void> {
  const { status, body } = await sender.send(normal);
  if (status !== 200 || body.toString() !== '{"results":[]}')
    throw new Error(`a normal request got ${status} ${body.toString()}`);
}
