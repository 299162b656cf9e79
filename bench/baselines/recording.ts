import { readFileSync, writeFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import pLimit from "p-limit";
import type { Target } from "../load/load.ts";
import { get } from "./get.ts";

/** One reply as it was, byte for byte but for what each server says about its own connection. */
export interface RecordedReply {
  status: number;
  /** Names and values in turn. */
  headers: string[];
  body: Uint8Array;
}

/** What was answered, by request target. */
export type Recording = Map<string, RecordedReply>;

/**
 * Asks a server for every target once and records what it answers.
 * @throws Error at the first reply that is not of the wanted status: nothing is measured of a system that does not work
 */
export async function recordReplies(url: string, targets: readonly Target[], status: number): Promise<Recording> {
  const fewAtATime = pLimit(8);
  const replies = targets.map(({ path, headers }) =>
    fewAtATime(async () => {
      const reply = await get(url, path, headers);
      if (reply.status !== status) throw new Error(`${path} answered ${reply.status} where ${status} was expected`);
      return [path, { ...reply, headers: withoutConnection(reply.headers) }] as const;
    }),
  );
  return new Map(await Promise.all(replies));
}

/** Writes a recording for the process of a baseline. */
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
