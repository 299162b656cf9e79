import { brotliDecompressSync, gunzipSync } from "node:zlib";

/**
 * The plain bytes of a reply.
 * @param encoding its Content-Encoding
 * @throws Error when the bytes are not in their coding
 */
export function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  // A reply without a body may still have a Content-Encoding.
  if (encoding === undefined || bytes.length === 0) return bytes;
  if (encoding === "gzip") return gunzipSync(bytes);
  if (encoding === "br") return brotliDecompressSync(bytes);
  throw new Error(`a coding that was not requested: ${encoding}`);
}
