import net from "node:net";

export interface RawReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Milliseconds after which a missing reply fails the test instead of hanging it. */
const patience = 8_000;

/**
 * Sends bytes as they are, and resolves to the first `count` replies. Several pieces are sent one after the other, each
 * when the server has had a turn to read the one before; `onOpen` gets the means to send more.
 */
export function exchangeRaw(
  port: number,
  pieces: string | readonly string[],
  count = 1,
  onOpen: (send: (bytes: string) => void) => void = () => {},
): Promise<RawReply[]> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = net.connect(port, "127.0.0.1", () => void writeAll(socket, [pieces].flat()));
    onOpen((bytes) => socket.write(bytes));
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      socket.destroy();
      outcome();
    };
    const lacking = (why: string) => settle(() => reject(new Error(`${why} after ${JSON.stringify(received)}`)));
    const timer = setTimeout(() => lacking("no reply"), patience);
    socket.on("error", (error) => lacking(error.message));
    socket.on("end", () => lacking("the connection ended"));
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      const replies = parseReplies(received);
      if (replies.length >= count) settle(() => resolve(replies));
    });
  });
}

/**
 * Sends pieces as exchangeRaw does, and resolves to everything that came back when the server has closed the connection.
 * Rejects when the connection is reset.
 */
export function readUntilClosed(port: number, pieces: string | readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = net.connect(port, "127.0.0.1", () => void writeAll(socket, [pieces].flat()));
    const timer = setTimeout(() => reject(new Error(`not closed after ${JSON.stringify(received)}`)), patience);
    socket.on("error", reject);
    socket.on("data", (chunk) => (received += chunk.toString("latin1")));
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(received);
    });
  });
}

async function writeAll(socket: net.Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    if (socket.writable) socket.write(piece, "latin1");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The complete replies at the beginning of a text. Interim replies (1xx) count as replies without a body. */
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
