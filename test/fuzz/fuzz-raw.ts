import { checkNormalRequest, type FuzzTarget } from "./fuzz-http.ts";
import { judgeReply } from "./judge-reply.ts";
import { type RawCase, rawCases } from "./raw-cases.ts";
import { exchangeRaw } from "./raw-exchange.ts";
import { readReplies } from "./read-replies.ts";
import { runBatches } from "./run-batches.ts";
import { createSender } from "./send-case.ts";

/**
 * Opens `count` connections made from `seed`, and checks everything that is received.
 * @param timeoutsMs milliseconds within which the server replies to or abandons every request
 * @throws Error with seed and bytes when a reply breaks the contract or is missing, or a connection hangs
 */
export async function fuzzRaw(target: FuzzTarget, timeoutsMs: number, count: number, seed: number): Promise<void> {
  const port = Number(new URL(target.url).port);
  const sender = createSender(target.url, target.deadlineMs ?? 15_000);
  try {
    await runBatches(
      {
        name: "raw-socket fuzzer",
        cases: rawCases,
        // Many, since a batch takes as long as its connections that wait for a timeout.
        concurrentBatches: 16,
        concurrentCases: 50,
        describe,
        run: async (asked) => {
          judge(asked, await exchangeRaw(port, asked, timeoutsMs));
        },
        checkHealth: async () => {
          await checkNormalRequest(sender, 5);
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

function judge({ pieces, ending }: RawCase, received: Buffer): void {
  const sent = Buffer.concat(pieces);
  const replies = readReplies(received, sent.includes("HEAD")).filter(({ status }) => status !== 100);
  for (const reply of replies) judgeReply(reply, reply.bodyless ? { method: "HEAD", target: "*" } : undefined);
  // Node drops the requests under way of a client that half-closes or resets the connection.
  const expectsReply = ending === "probe" || ending === "wait";
  if (expectsReply && replies.length === 0) throw new Error("the connection was closed without a reply");
}

function describe({ pieces, ending }: RawCase): string {
  const sent = pieces.map((piece) =>
    piece.length > 2_000 ? `${piece.length} bytes` : JSON.stringify(piece.toString("latin1")),
  );
  return `${sent.join(" + ")}, then ${ending}`;
}
