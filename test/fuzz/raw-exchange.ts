import net from "node:net";
import type { RawCase } from "./raw-cases.ts";

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
export function exchangeRaw(port: number, { pieces, ending }: RawCase, timeoutsMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const settle = (outcome: () => void) => {
      clearInterval(clock);
      socket.destroy();
      outcome();
    };
    const fail = (why: string) =>
      settle(() => reject(new Error(`${why} after ${Buffer.concat(received).toString("latin1")}`)));
    // Counted in turns of this process, not by a clock: when a busy machine pauses it for seconds, the server is paused as well.
    const turns = Math.ceil(timeoutsMs / turnMs);
    let turn = 0;
    const clock = setInterval(() => {
      turn++;
      if (turn === turns && ending !== "fin" && socket.writable) socket.write(probe);
      if (turn === maxTimeouts * turns) fail("the connection hangs");
    }, turnMs);
    socket.on("data", (chunk) => received.push(chunk));
    socket.on("end", () => settle(() => resolve(Buffer.concat(received))));
    socket.on("error", (error) => {
      // A server that has replied may close the connection while the client still sends.
      if (ending === "fin" || received.length > 0) settle(() => resolve(Buffer.concat(received)));
      else fail(error.message);
    });
    socket.on("connect", () => void sendAll());

    function reset(): void {
      socket.resetAndDestroy();
      settle(() => resolve(Buffer.alloc(0)));
    }

    async function sendAll(): Promise<void> {
      for (const piece of pieces) {
        if (socket.writable) socket.write(piece);
        await new Promise((next) => setImmediate(next));
      }
      // The server's timeouts begin with the last bytes.
      turn = 0;
      if (ending === "reset") reset();
      else if (ending === "probe" && socket.writable) socket.write(probe);
      else if (ending === "fin") socket.end();
    }
  });
}
