import net from "node:net";
import type { RawCase } from "./raw-cases.ts";

/** A request that any server answers and then closes. Behind bytes that want more it becomes a part of them. */
const probe = "GET /json/reply/SocialUsers HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

const turnMs = 100;

/** Time-outs after which a connection hangs: with hundreds in flight a busy machine takes long for what takes a moment. */
const maxTimeouts = 10;

/**
 * Plays a case on a connection of its own and resolves to all that came back when the server has closed it.
 *
 * A connection that is still open when the server's time-outs have passed must be an idle one between two requests; it is
 * asked once more and has to close then.
 * @param timeoutsMs milliseconds in which the server answers or gives up whatever it has begun
 * @throws Error when the connection stays open for ten times that long, or is reset before anything came back
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
    const lost = (why: string) =>
      settle(() => reject(new Error(`${why} after ${Buffer.concat(received).toString("latin1")}`)));
    // In turns of this process: when the machine stops it for seconds, which a clock would count, the server has stopped too.
    const turns = Math.ceil(timeoutsMs / turnMs);
    let turn = 0;
    const clock = setInterval(() => {
      turn++;
      if (turn === turns && ending !== "fin" && socket.writable) socket.write(probe);
      if (turn === maxTimeouts * turns) lost("the connection hangs");
    }, turnMs);
    socket.on("data", (chunk) => received.push(chunk));
    socket.on("end", () => settle(() => resolve(Buffer.concat(received))));
    socket.on("error", (error) => {
      // A server that has answered may stop listening to a client that goes on.
      if (ending === "fin" || received.length > 0) settle(() => resolve(Buffer.concat(received)));
      else lost(error.message);
    });
    socket.on("connect", () => void play());

    function reset(): void {
      socket.resetAndDestroy();
      settle(() => resolve(Buffer.alloc(0)));
    }

    async function play(): Promise<void> {
      for (const piece of pieces) {
        if (socket.writable) socket.write(piece);
        await new Promise((next) => setImmediate(next));
      }
      // The server's time-outs begin with the last bytes.
      turn = 0;
      if (ending === "reset") reset();
      else if (ending === "probe" && socket.writable) socket.write(probe);
      else if (ending === "fin") socket.end();
    }
  });
}
