import net from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const mebibyte = 1024 * 1024;
const get = "GET / HTTP/1.1\r\nHost: x\r\n";
const post = "POST /json/reply/SocialUsers HTTP/1.1\r\nHost: x\r\n";

const textOfBytes = `${'1\r\n"\r\n'}${"1\r\na\r\n".repeat(mebibyte - 2)}${'1\r\n"\r\n'}0\r\n\r\n`;
/** A body of 1 MiB in chunks of one byte; a text, so that it is read to its end before it is refused for its content. */
export const oneByteChunks = `${post}Transfer-Encoding: chunked\r\n\r\n${textOfBytes}`;

/** An upload of 1 MiB whose last byte is missing. */
export const unfinishedUpload = `${post}Content-Length: ${mebibyte}\r\n\r\n${" ".repeat(mebibyte - 1)}`;

/** A head of 200 KB that does not end. */
export const unfinishedHead = get + `X: ${"y".repeat(1_000)}\r\n`.repeat(200);

const lines = Array.from({ length: 1_900 }, (_, line) => `x${line}: ${"y".repeat(20)}\r\n`).join("");
/** A head of 55 KB in 1,900 lines, whose body does not come. */
export const missingBody = `${post}Content-Length: 100\r\n${lines}\r\n`;

const longHead = `${get}${"xx:yy\r\n".repeat(17_000)}X: ${"y".repeat(120_000)}\r\n\r\n`;
const slow = `${post.replace(" HTTP", "?screenNames=slow HTTP")}Content-Length: 0\r\n\r\n`;
/** 99 requests with heads of 240 KB behind one that is not answered for a while. */
export const behindSlow = slow + longHead.repeat(99);

const ids = Array.from({ length: 1_000 }, (_, index) => index + 1).join();
/** A lookup of 1,000 ids that a service does not answer. */
export const waitingList = `${get.replace("/", `/json/reply/SocialUsers?userIds=${ids}`)}\r\n`;

const items = `[${Array.from({ length: 70 }, () => '{"userIds":1}').join()}]`;
const batch = `${get.replace("/", "/json/reply/SocialUsers[]")}Content-Length: ${items.length}\r\n\r\n${items}`;
/** 4,000 GETs whose body is a batch of 70 items. */
export const pipelinedBatches = batch.repeat(4_000);

/**
 * Sends these bytes on a connection of each client.
 * @returns the status of the first reply to each; 0 when there is none within `ms`
 */
export function sendFromEach(port: number, clients: number, request: string, ms = 120_000): Promise<number[]> {
  const bytes = Buffer.from(request);
  return Promise.all(Array.from({ length: clients }, () => connectAndSend(port, bytes, ms)));
}

function connectAndSend(port: number, bytes: Buffer, ms: number): Promise<number> {
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

/** Bytes in use after a garbage collection. */
export function usedMemory(kind: "arrayBuffers" | "heapUsed"): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage()[kind];
}
