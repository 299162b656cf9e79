import { readFileSync, writeFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import pLimit from "p-limit";
import { requestKey, type Target } from "../load/load.ts";
import { sendRequest } from "../load/send-request.ts";

/** One reply, byte for byte, without the headers that concern the server's own connection. */
export interface RecordedReply {
  status: number;
  /** Names and values alternately. */
  headers: string[];
  body: Uint8Array;
}

/** Replies by requestKey. */
export type Recording = Map<string, RecordedReply>;

/**
 * Requests every target once and records the replies.
 * @throws Error at the first reply with another status: a system that does not work is not measured
 */
export async function recordReplies(url: string, targets: readonly Target[], status: number): Promise<Recording> {
  const fewAtATime = pLimit(8);
  const replies = targets.map(({ path, headers, body }) =>
    fewAtATime(async () => {
      const reply = await sendRequest(url, path, headers, body);
      if (reply.status !== status) throw new Error(`${path} answered ${reply.status} where ${status} was expected`);
      return [requestKey(path, body), { ...reply, headers: withoutConnection(reply.headers) }] as const;
    }),
  );
  return new Map(await Promise.all(replies));
}

/** Writes a recording to a file for the process of a baseline. */
export function writeRecording(file: string, recording: Recording): void {
  writeFileSync(file, serialize(recording));
}

export function readRecording(file: string): Recording {
  return deserialize(readFileSync(file)) as Recording;
}

const ownHeaders = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

function withoutConnection(raw: readonly string[]): string[] {
  const names = raw.filter((_, index) => index % 2 === 0);
  return names.flatMap((name, index) =>
    ownHeaders.has(name.toLowerCase()) ? [] : [name, raw[index * 2 + 1] as string],
  );
}
