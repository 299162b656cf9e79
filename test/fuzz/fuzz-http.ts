import { cases } from "./cases.ts";
import { describeCase, type FuzzCase } from "./fuzz-case.ts";
import { judgeReply } from "./judge-reply.ts";
import { runBatches } from "./run-batches.ts";
import { createSender, type Sender } from "./send-case.ts";

export interface FuzzTarget {
  url: string;
  /** Throws when the server logged a defect since it was asked last. */
  checkLog(): void;
  /** Milliseconds for one exchange. A slow machine with many in flight needs seconds for what takes one. */
  deadlineMs?: number;
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
        run: async (asked) => judgeReply(await sender.send(asked), asked),
        checkHealth: async () => {
          await checkNormalRequest(sender);
          target.checkLog();
        },
      },
      count,
      seed,
    );
  } finally {
    sender.close();
  }
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
