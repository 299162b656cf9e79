import http from "node:http";
import { eventually } from "../support/eventually.ts";

/** A block of an event stream. */
export interface Block {
  id: string | undefined;
  event: string | undefined;
  data: string | undefined;
}

/** An event stream that is being read. */
export type EventStream = ReturnType<typeof read>;

/** Asks for a stream, and resolves when its head has come. */
export function openStream(url: string, path: string, headers: Record<string, string> = {}): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${url}${path}`, { headers, agent: false });
    request.on("error", reject);
    request.on("response", (response) => resolve(read(request, response)));
    request.end();
  });
}

function read(request: http.ClientRequest, response: http.IncomingMessage) {
  let rest = "";
  let all = "";
  let isEnded = false;
  const blocks: Block[] = [];
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => {
    all += chunk;
    rest += chunk;
    const parts = rest.split("\n\n");
    rest = parts.pop() as string;
    blocks.push(...parts.filter((part) => !part.startsWith(":")).map(parse));
  });
  response.on("error", () => {});
  request.on("error", () => {});
  response.on("close", () => (isEnded = true));
  const texts = () => textsOf(blocks);
  return {
    status: response.statusCode as number,
    headers: response.headers,
    /** All blocks that have come in full, without comments. */
    blocks,
    /** What was read; for a refusal its body. */
    text: () => all,
    /** The id with which a client goes on. */
    lastId: () => lastIdOf(blocks) as string,
    /** The texts of the statuses. */
    texts,
    resets: () => dataOf(blocks, "reset").length,
    isEnded: () => isEnded,
    /** Waits for so many statuses. */
    async statuses(count: number): Promise<string[]> {
      await eventually(`${count} statuses, but ${texts().length}`, async () => texts().length >= count);
      return texts();
    },
    /** Waits until the server has ended it. */
    ended: () => eventually("the stream has ended", async () => isEnded),
    pause: () => response.pause(),
    /** Disconnects, in the middle of whatever is on the way. */
    cut: () => request.destroy(),
  };
}

/** The texts of the statuses in some blocks. */
export function textsOf(blocks: readonly Block[]): string[] {
  return dataOf(blocks, "status").map((data) => JSON.parse(data).text as string);
}

/** The id with which a client goes on that has read these blocks only. */
export function lastIdOf(blocks: readonly Block[]): string | undefined {
  return blocks.findLast(({ id }) => id !== undefined)?.id;
}

function dataOf(blocks: readonly Block[], event: string): string[] {
  return blocks.filter((block) => block.event === event).map(({ data }) => data as string);
}

function parse(block: string): Block {
  const fields = new Map(block.split("\n").map((line) => [line.replace(/: .*$/, ""), line.replace(/^[^:]*: /, "")]));
  return { id: fields.get("id"), event: fields.get("event"), data: fields.get("data") };
}
