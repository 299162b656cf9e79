import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** All ports that are given out. They lie below those that systems give to outgoing connections. */
const [lowest, highest] = [20_000, 32_000];
/** How many of them a room has to itself: it may use a port long after it was found free. */
const perRoom = 400;
/** The first of this room's, which test/run.ts numbers; of a file that runs alone, any. */
const first = lowest + perRoom * Number(process.env.TEST_ROOM ?? randomInt((highest - lowest) / perRoom));
let next = randomInt(perRoom);

/** A port of loopback that is free, and that no other call in this test run is given at the same time. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < perRoom; attempt++) {
    const port = first + (next++ % perRoom);
    if (await isFree(port)) return port;
  }
  throw new Error("there is no free port");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
