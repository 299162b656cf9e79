import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { UserError } from "../../../cli/errors.ts";
import { countLines, type End, formatVersion, type Header, type Part, type PartEnd } from "./format.ts";
import type { RowProgress } from "./progress.ts";

/** A backup that is read once, from its beginning to its end. */
export interface BackupReader {
  header: Header;
  /** Each part; its rows have to be read to their end before the next part. */
  parts(): AsyncGenerator<{ part: Part; rows: AsyncGenerator<Buffer, number> }>;
  /** What the last line says; only after the last part. */
  end(): End;
  close(): void;
}

/**
 * Opens a backup.
 * @param progress is told how many rows of a part were read, after each of their chunks
 * @throws UserError, also while it is read, for a file that is no backup, of a newer form, cut off or changed; and Node's error for one that
 * cannot be read
 */
export async function openBackup(file: string, progress: RowProgress["rows"]): Promise<BackupReader> {
  const input = createReadStream(file);
  // Errors of both come out of the last one.
  const stream = pipeline(input, createGunzip(), () => {});
  const lines = new Lines(asBroken(stream, file));
  const broken = () => new UserError(`${file} is damaged or cut off. Nothing was changed.`);
  const header = await readHeader(lines, file).catch((error) => {
    stream.destroy();
    throw error;
  });
  let end: End | undefined;

  async function* rowsOf(part: Part): AsyncGenerator<Buffer, number> {
    const hash = createHash("sha256");
    let rows = 0;
    for await (const chunk of lines.rows()) {
      hash.update(chunk);
      rows += countLines(chunk);
      progress(part, rows);
      yield chunk;
    }
    const counted = parse<PartEnd>(await lines.next());
    if (counted?.rows !== rows || counted.sha256 !== hash.digest("hex")) throw broken();
    return rows;
  }

  return {
    header,
    async *parts() {
      for (let count = 0; ; count++) {
        const sha256 = lines.digest();
        const next = parse<Part | End>(await lines.next());
        if (next === undefined) throw broken();
        if ("table" in next) {
          yield { part: next, rows: rowsOf(next) };
          continue;
        }
        if (next.parts !== count || next.sha256 !== sha256 || (await lines.next()) !== undefined) throw broken();
        end = next;
        return;
      }
    },
    end() {
      if (end === undefined) throw broken();
      return end;
    },
    close: () => void stream.destroy(),
  };
}

async function readHeader(lines: Lines, file: string): Promise<Header> {
  const header = parse<Header>(await lines.next());
  if (header?.["roost-backup"] === undefined) throw new UserError(`${file} is no backup of Roost.`);
  if (header["roost-backup"] === formatVersion) return header;
  throw new UserError(`${file} was made by a newer release of Roost. Restore it with that release or a later one.`);
}

function parse<T extends object>(line: Buffer | undefined): T | undefined {
  try {
    const content: unknown = JSON.parse(line?.toString() ?? "");
    return typeof content === "object" && content !== null ? (content as T) : undefined;
  } catch {
    return undefined;
  }
}

async function* asBroken(stream: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch (error) {
    // Errors of the file itself name a system call.
    if (error instanceof Error && "syscall" in error) throw error;
    const isForeign = error instanceof Error && error.message === "incorrect header check";
    throw new UserError(
      isForeign ? `${file} is no backup of Roost.` : `${file} is damaged or cut off. Nothing was changed.`,
    );
  }
}

/** Splits a stream into lines and rows, and hashes what it has given. */
class Lines {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #hash: Hash = createHash("sha256");
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The checksum of all that was given so far. */
  digest(): string {
    return this.#hash.copy().digest("hex");
  }

  /** The next line without its line feed; undefined at the end. */
  async next(): Promise<Buffer | undefined> {
    const pieces: Buffer[] = [];
    for (let at = this.#rest.indexOf(10); at === -1; at = this.#rest.indexOf(10)) {
      pieces.push(this.#take(this.#rest.length));
      if (!(await this.#read())) return undefined;
      if (pieces.length > maxLinePieces) return undefined;
    }
    return Buffer.concat([...pieces, this.#take(this.#rest.indexOf(10) + 1)]).subarray(0, -1);
  }

  /** Whole rows, many at once, up to the line `\.`. */
  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      const { length, isEnd } = wholeRows(this.#rest);
      if (length > 0) yield this.#take(length);
      if (isEnd) return void this.#take(3);
      const unfinished = this.#rest;
      if (!(await this.#read())) throw new UserError("The backup is damaged or cut off. Nothing was changed.");
      this.#rest = Buffer.concat([unfinished, this.#rest]);
    }
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    this.#hash.update(taken);
    return taken;
  }

  async #read(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    this.#rest = done ? Buffer.alloc(0) : value;
    return !done;
  }
}

/** Chunks of 16 KiB that a line of JSON may have; a foreign file may be one line. */
const maxLinePieces = 64;

/** The length of the whole rows at the beginning of a text, and whether `\.` follows them. */
function wholeRows(text: Buffer): { length: number; isEnd: boolean } {
  let begin = 0;
  for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, begin)) {
    if (at === begin + 2 && text[begin] === 0x5c && text[begin + 1] === 0x2e) return { length: begin, isEnd: true };
    begin = at + 1;
  }
  return { length: begin, isEnd: false };
}
