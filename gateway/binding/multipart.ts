import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { unreadable } from "../errors/catalog.ts";
import { PublicError } from "../errors/public-error.ts";
import { maxFormParts } from "../limits.ts";
import type { Pairs } from "./form-pairs.ts";
import { decodeUtf8 } from "./strict-text.ts";

/**
 * Reads the fields of a `multipart/form-data` body (RFC 7578); parts with a file name are ignored.
 * Rejects with SerializationException.
 */
export function parseMultipart(bytes: Buffer, contentType: string): Promise<Pairs> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(error instanceof PublicError ? error : badForm());
    const pairs: [string, string][] = [];
    const onPart = (name: string | undefined, part: BusboyFileStream, fileName: string | undefined) => {
      // A part that is cut off raises its own error; without a listener that would end the process.
      part.on("error", fail);
      if (name === undefined || fileName !== undefined) return void part.resume();
      const chunks: Buffer[] = [];
      part.on("data", (chunk: Buffer) => chunks.push(chunk));
      part.on("end", () => attempt(fail, () => pairs.push([name, decodeUtf8(Buffer.concat(chunks))])));
    };
    attempt(fail, () => {
      const parser = new Busboy({
        headers: { "content-type": contentType },
        limits: { parts: maxFormParts, headerPairs: 20 },
        // As files, parts come as bytes: busboy's own fields put U+FFFD where a text is not UTF-8.
        isPartAFile: () => true,
      });
      parser.on("file", onPart).on("error", fail);
      parser.on("partsLimit", () => reject(unreadable(`The form has more than ${maxFormParts} parts.`)));
      parser.on("finish", () => resolve(pairs));
      parser.end(bytes);
    });
  });
}

function badForm(): PublicError {
  return unreadable("The body is not a readable multipart form.");
}

function attempt(fail: (error: unknown) => void, action: () => void): void {
  try {
    action();
  } catch (error) {
    fail(error);
  }
}
