import net from "node:net";

export interface RawReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Milliseconds after which a missing reply fails the test. */
const timeoutMs = 30_000;

/** Bytes to send, one character each, or a function to call between them. */
export type Piece = string | (() => void);

/**
 * Sends bytes and resolves to the first `count` replies. Pieces are sent at intervals of 20 ms, so that the server reads each by
 * itself.
 */
export function exchangeRaw(port: number, pieces: Piece | readonly Piece[], count = 1): Promise<RawReply[]> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = net.connect(
      { port, host: "127.0.0.1", noDelay: true },
      () => void writeAll(socket, [pieces].flat()),
    );
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      socket.destroy();
      outcome();
    };
    const fail = (why: string) => settle(() => reject(new Error(`${why} after ${JSON.stringify(received)}`)));
    const timer = setTimeout(() => fail("no reply"), timeoutMs);
    socket.on("error", (error) => fail(error.message));
    socket.on("end", () => fail("the connection ended"));
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      const replies = parseReplies(received);
      if (replies.length >= count) settle(() => resolve(replies));
    });
  });
}

/**
 * Sends all pieces like exchangeRaw, and resolves to everything that was received when the server has closed the connection. Rejects
 * when the connection is reset.
 */
export function readUntilClosed(port: number, pieces: Piece | readonly Piece[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = net.connect({ port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
    let written = Promise.resolve();
    socket.on("connect", () => {
      written = writeAll(socket, [pieces].flat());
    });
    const timer = setTimeout(() => socket.destroy(new Error(`not closed after ${received}`)), timeoutMs);
    socket.on("error", reject);
    socket.on("data", (chunk) => (received += chunk.toString("latin1")));
    socket.on("end", () => void written.then(() => socket.end()));
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(received);
    });
  });
}

async function writeAll(socket: net.Socket, pieces: readonly Piece[]): Promise<void> {
  for (const piece of pieces) {
    if (typeof piece === "function") piece();
    else if (socket.writable) socket.write(piece, "latin1");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The complete replies at the beginning of a text. Interim replies (1xx) are replies without a body. */
export function parseReplies(text: string): RawReply[] {
  const replies: RawReply[] = [];
  for (let rest = text; ; ) {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) return replies;
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(":", 1)[0]?.toLowerCase(), line.replace(/^[^:]*: ?/, "")]),
    );
    const length = Number(headers["content-length"] ?? 0);
    if (rest.length < end + 4 + length) return replies;
    replies.push({ status: Number(first.split(" ")[1]), headers, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
}

export function statusesOf(replies: readonly RawReply[]): number[] {
  return replies.map(({ status }) => status);
}
