import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { escapeForScript } from "../../rendering/jsonp.ts";

/** How a reply's bytes are coded (RFC 9110 §8.4.1). */
export type Encoding = "identity" | "gzip" | "br";

/** How the bytes of a page are written. A script is what follows `NAME(` in a reply to a JSONP call: the JSON, escaped, and `)`. */
export type PageForm = Encoding | "script";

/**
 * The smallest of the codings with the client's highest weight (RFC 9110 §12.5.3). Plain bytes for a client that names no coding, or
 * identity with the highest weight.
 */
export function acceptedEncoding(header: string | undefined): Encoding {
  if (header === undefined || header.length > maxHeaderLength) return "identity";
  const weights = new Map(
    header.split(",").map((part) => {
      const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return [name, q === undefined ? 1 : Number(q) || 0];
    }),
  );
  const weight = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  const plain = weights.get("identity") ?? 0;
  const isTaken = (name: string) => weight(name) > 0 && weight(name) >= plain;
  if (isTaken("br") && weight("br") >= weight("gzip")) return "br";
  return isTaken("gzip") ? "gzip" : "identity";
}

/** UTF-16 units of what is read: it takes 12 ms to read 58 KB. */
const maxHeaderLength = 1_000;

/** The bytes of a page in this form; in plain bytes where it is too short to be worth compressing. */
export async function encode(plain: Buffer, form: PageForm): Promise<{ bytes: Buffer; form: PageForm }> {
  if (form === "script") return { bytes: toScript(plain), form };
  if (form === "identity" || plain.length < compressedFrom) return { bytes: plain, form: "identity" };
  return { bytes: await compress(plain, form), form };
}

/** The bytes of a script. */
export function toScript(json: Buffer): Buffer {
  return Buffer.from(`${escapeForScript(json.toString())})`);
}

/** Texts below this many bytes are sent as they are: the saving would be smaller than a packet. */
const compressedFrom = 1_024;

/** Compresses in the thread pool. Each page is compressed once, so somewhat better and slower than the fastest. */
function compress(bytes: Buffer, encoding: Exclude<Encoding, "identity">): Promise<Buffer> {
  if (encoding === "gzip") return gzipped(bytes, { level: 6 });
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotlied(bytes, { params });
}

const gzipped = promisify(gzip) as (bytes: Buffer, options: object) => Promise<Buffer>;
const brotlied = promisify(brotliCompress) as (bytes: Buffer, options: object) => Promise<Buffer>;
