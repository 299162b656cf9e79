import { TextDecoder } from "node:util";
import { getManyValues, isMany, none } from "stream-chain/defs.js";
import { jsonParser, type Token } from "stream-json/core/parser.js";
import { JsonFault } from "./fault.ts";

export type { Token };

/**
 * Cuts UTF-8 JSON into tokens without holding the text. Every token before a fault is delivered up to the last closed
 * bracket, then JsonFault is thrown. A leading byte order mark is skipped.
 */
export async function* readTokens(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Token[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  // The package types its end mark apart from its input.
  const parse = jsonParser({ streamValues: false }) as (text: string | typeof none) => unknown;
  let at = 0;
  for await (const chunk of chunks) {
    for (const piece of piecesOf(chunk)) {
      yield tokensOf(() => parse(decoded(decoder, piece)), at);
      at += piece.length;
    }
  }
  yield atEnd(() => tokensOf(() => parse(decoder.decode()), at).concat(tokensOf(() => parse(none), at)), at);
}

/**
 * The parser drops the tokens of a text in which it finds a fault, so it gets text up to the next closing bracket only:
 * what is complete before the fault is then out already.
 */
function* piecesOf(chunk: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  for (let end = 1; end <= chunk.length; end++) {
    const byte = chunk[end - 1];
    if (byte !== closingBrace && byte !== closingBracket && end < chunk.length) continue;
    yield chunk.subarray(start, end);
    start = end;
  }
}

// Both are single bytes, and never part of a longer character (RFC 3629 §3).
const closingBrace = 0x7d;
const closingBracket = 0x5d;

function decoded(decoder: TextDecoder, piece: Uint8Array): string {
  try {
    return decoder.decode(piece, { stream: true });
  } catch {
    throw new Error("it is not UTF-8");
  }
}

function tokensOf(parse: () => unknown, at: number): Token[] {
  try {
    const result = parse();
    return isMany(result) ? (getManyValues(result) as Token[]) : [];
  } catch (error) {
    throw new JsonFault(`the file cannot be read any further, near byte ${at}: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^Parser (cannot parse input: )?/, "");
}

function atEnd(read: () => Token[], at: number): Token[] {
  try {
    return read();
  } catch {
    throw new JsonFault(at === 0 ? "the file is empty" : `the file is cut off, at byte ${at}`);
  }
}
