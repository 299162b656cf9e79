import net from "node:net";
import type { FuzzReply } from "./fuzz-case.ts";
import { checkNormalRequest, type FuzzTarget } from "./fuzz-http.ts";
import { judgeReply } from "./judge-reply.ts";
import { type RawCase, rawCases } from "./raw-cases.ts";
import { runBatches } from "./run-batches.ts";
import { whileSending } from "./send-case.ts";

/**
 * Opens `count` connections made from `seed`, and checks everything that is received.
 * @param timeoutsMs milliseconds within which the server replies to or abandons every request
 * @throws Error with seed and bytes when a reply breaks the contract or is missing, or a connection hangs
 */
export function fuzzRaw(target: FuzzTarget, timeoutsMs: number, count: number, seed: number): Promise<void> {
  const port = Number(new URL(target.url).port);
  return whileSending(target, (send) =>
    runBatches(
      {
        name: "raw-socket fuzzer",
        cases: rawCases,
        // Many, since a batch takes as long as its connections that wait for a timeout.
        concurrentBatches: 16,
        concurrentCases: 50,
        describe,
        run: async (asked) => judge(asked, await exchangeRaw(port, asked, timeoutsMs)),
        checkHealth: async () => {
          await checkNormalRequest(send, 5);
          target.checkLog();
        },
      },
      count,
      seed,
    ),
  );
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

/** A request after which every server closes the connection. After an incomplete request it becomes a part of that. */
const probe = "GET /json/reply/SocialUsers HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

const turnMs = 100;

/** Number of timeouts after which a connection counts as hanging: a busy machine with hundreds of connections is slow. */
const maxTimeouts = 10;

/**
 * Sends a case over a new connection and resolves to everything that was received when the server has closed it.
 *
 * A connection that is still open after the server's timeouts must be idle between two requests; then another request is sent, after
 * which the server must close it.
 * @param timeoutsMs milliseconds within which the server replies to or abandons every request
 * @throws Error when the connection stays open for ten times that long, or is reset before anything was received
 */
function exchangeRaw(port: number, { pieces, ending }: RawCase, timeoutsMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const settle = (fault?: string) => {
      clearInterval(clock);
      socket.destroy();
      const bytes = Buffer.concat(received);
      if (fault === undefined) resolve(bytes);
      else reject(new Error(`${fault} after ${bytes.toString("latin1")}`));
    };
    // Counted in turns of this process, not by a clock: when a busy machine pauses it for seconds, the server is paused as well.
    const turns = Math.ceil(timeoutsMs / turnMs);
    let turn = 0;
    const clock = setInterval(() => {
      turn++;
      if (turn === turns && ending !== "fin" && socket.writable) socket.write(probe);
      if (turn === maxTimeouts * turns) settle("the connection hangs");
    }, turnMs);
    socket.on("data", (chunk) => received.push(chunk));
    socket.on("end", () => settle());
    // A server that has replied may close the connection while the client still sends.
    socket.on("error", ({ message }) => settle(ending === "fin" || received.length > 0 ? undefined : message));
    socket.on("connect", async () => {
      for (const piece of pieces) {
        if (socket.writable) socket.write(piece);
        await new Promise((next) => setImmediate(next));
      }
      // The server's timeouts begin with the last bytes.
      turn = 0;
      if (ending === "probe" && socket.writable) socket.write(probe);
      else if (ending === "fin") socket.end();
      else if (ending === "reset") {
        socket.resetAndDestroy();
        received.length = 0;
        settle();
      }
    });
  });
}

/** A reply that was received over a socket, to an unknown request. */
interface RawReply extends FuzzReply {
  /** Whether there is no body in spite of its headers, as only replies to HEAD may have it. */
  bodyless: boolean;
}

/**
 * Parses everything that a server sent as HTTP/1.1 replies, strictly.
 * @param mayBeHead whether a request may have been HEAD, so that a body may be missing
 * @throws Error when bytes are left over, or break RFC 9112
 */
function readReplies(bytes: Buffer, mayBeHead: boolean): RawReply[] {
  const replies: RawReply[] = [];
  for (let rest = bytes.toString("latin1"); rest !== ""; ) {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) throw new Error(`no end of a reply's headers: ${rest.slice(0, 200)}`);
    const reply = readHead(rest.slice(0, end));
    rest = rest.slice(end + 4);
    const length = lengthOf(reply);
    reply.bodyless = mayBeHead && length > 0 && (rest === "" || rest.startsWith("HTTP/1.1 "));
    const taken = reply.bodyless ? 0 : length;
    if (rest.length < taken) throw new Error(`${rest.length} of ${taken} bytes of a body`);
    reply.body = Buffer.from(rest.slice(0, taken), "latin1");
    rest = rest.slice(taken);
    replies.push(reply);
  }
  return replies;
}

function readHead(head: string): RawReply {
  const [first = "", ...lines] = head.split("\r\n");
  const status = /^HTTP\/1\.1 ([1-5]\d\d) [ -~]*$/.exec(first)?.[1];
  if (status === undefined) throw new Error(`not a status line: ${first}`);
  const headers = lines.map((line) => {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+): ?([ -~\x80-\xff\t]*)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`not a header: ${line}`);
    return [name.toLowerCase(), value];
  });
  if (new Set(headers.map(([name]) => name)).size !== headers.length) throw new Error(`a header twice: ${head}`);
  return { status: Number(status), headers: Object.fromEntries(headers), body: Buffer.alloc(0), bodyless: false };
}

// The gateway sends a Content-Length with every reply.
function lengthOf({ status, headers }: RawReply): number {
  if (status < 200 || status === 204 || status === 304) return 0;
  const length = headers["content-length"];
  if (length === undefined || !/^\d+$/.test(length)) throw new Error(`a reply of length ${length}`);
  return Number(length);
}
