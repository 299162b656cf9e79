import http from "node:http";
import net from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** How many replies had each status; 0 for a connection that ended without one. */
export type Statuses = Record<number, number>;

const mebibyte = 1024 * 1024;

/** Bodies of 1 MiB in chunks of one byte, from some clients at a time. */
export function sendOneByteChunks(port: number, clients: number): Promise<Statuses> {
  const head = "POST /json/reply/SocialUsers HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  // A text, so that it is read to its end before it is refused for its content.
  const bytes = Buffer.from(`${head}${'1\r\n"\r\n'}${"1\r\na\r\n".repeat(mebibyte - 2)}${'1\r\n"\r\n'}0\r\n\r\n`);
  return sendFromEach(port, clients, bytes);
}

/** Uploads of 1 MiB whose last byte is missing, until each has an answer or `ms` have passed. */
export function leaveUploadsUnfinished(port: number, clients: number, ms: number): Promise<Statuses> {
  const head = `POST /json/reply/SocialUsers HTTP/1.1\r\nHost: x\r\nContent-Length: ${mebibyte}\r\n\r\n`;
  const bytes = Buffer.concat([Buffer.from(head), Buffer.alloc(mebibyte - 1, " ")]);
  return sendFromEach(port, clients, bytes, ms);
}

/** Batches of 100 timelines of 200 statuses each, all at once. */
export function sendBatches(url: string, clients: number): Promise<Statuses> {
  const agent = new http.Agent({ keepAlive: false });
  const send = (client: number) => {
    const items = Array.from({ length: 100 }, (_, item) => ({ screenName: `ann${client}-${item}`, take: 200 }));
    return post(agent, `${url}/json/reply/SocialTimelines[]`, JSON.stringify(items));
  };
  return tallied(Array.from({ length: clients }, (_, client) => send(client)));
}

/** Unfinished heads of requests, 200 KB each. */
export function leaveHeadsUnfinished(port: number, clients: number, ms: number): Promise<Statuses> {
  const bytes = Buffer.from(`GET / HTTP/1.1\r\nHost: x\r\n${`X: ${"y".repeat(1_000)}\r\n`.repeat(200)}`);
  return sendFromEach(port, clients, bytes, ms);
}

/** Requests with heads of 55 KB in 1,900 lines, whose bodies do not come. */
export function leaveBodiesOut(port: number, clients: number, ms: number): Promise<Statuses> {
  const lines = Array.from({ length: 1_900 }, (_, line) => `x${line}: ${"y".repeat(20)}\r\n`).join("");
  const bytes = Buffer.from(`POST /register HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n${lines}\r\n`);
  return sendFromEach(port, clients, bytes, ms);
}

/** Requests with heads of 240 KB behind one that is not answered for a while, 99 on each connection. */
export function sendBehindSlow(port: number, clients: number, ms: number): Promise<Statuses> {
  const first = "POST /json/reply/SocialUsers?screenNames=slow HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n";
  const head = `GET / HTTP/1.1\r\nHost: x\r\n${"xx:yy\r\n".repeat(17_000)}X: ${"y".repeat(120_000)}\r\n\r\n`;
  const bytes = Buffer.from(first + head.repeat(99));
  return sendFromEach(port, clients, bytes, ms);
}

/** Lookups of 1,000 ids that a service does not answer, one on each connection. */
export function waitForLists(port: number, clients: number, ms: number): Promise<Statuses> {
  const ids = Array.from({ length: 1_000 }, (_, index) => index + 1).join();
  const bytes = Buffer.from(`GET /json/reply/SocialUsers?userIds=${ids} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return sendFromEach(port, clients, bytes, ms);
}

/** Pipelined GETs whose body is a batch of 70 items. */
export function pipelineBatches(port: number, requests: number, ms: number): Promise<Statuses> {
  const body = `[${Array.from({ length: 70 }, () => '{"userIds":1}').join()}]`;
  const one = `GET /json/reply/SocialUsers[] HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  return sendFromEach(port, 1, Buffer.from(one.repeat(requests)), ms);
}

async function tallied(requests: Promise<number>[]): Promise<Statuses> {
  const statuses: Statuses = {};
  for (const status of await Promise.all(requests)) statuses[status] = (statuses[status] ?? 0) + 1;
  return statuses;
}

/** Sends these bytes on a connection of each client. */
function sendFromEach(port: number, clients: number, bytes: Buffer, ms?: number): Promise<Statuses> {
  return tallied(Array.from({ length: clients }, () => connectAndSend(port, bytes, ms)));
}

/** Sends these bytes and resolves to the status of the first reply; 0 when there is none within `ms`. */
function connectAndSend(port: number, bytes: Buffer, ms = 120_000): Promise<number> {
  return new Promise((resolve) => {
    let status = 0;
    const socket = net.connect(port, "127.0.0.1", () => socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(), ms);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      status ||= Number(/^HTTP\/1.1 (\d+)/.exec(chunk.toString("latin1"))?.[1] ?? 0);
      if (status !== 0) socket.end();
    });
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(status);
    });
  });
}

function post(agent: http.Agent, url: string, body: string): Promise<number> {
  return new Promise((resolve) => {
    const request = http.request(url, { agent, method: "POST" }, (response) => {
      response.resume().on("close", () => resolve(response.complete ? (response.statusCode as number) : 0));
    });
    request.on("error", () => resolve(0)).end(body);
  });
}

/** Bytes in use after a garbage collection. */
export function usedMemory(kind: "arrayBuffers" | "heapUsed"): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage()[kind];
}
