import { deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { fieldNames, texts } from "./texts.ts";

/** A body with its content type. */
export interface FuzzBody {
  type: string | undefined;
  encoding?: string;
  bytes: Buffer;
}

const value = fc.oneof(
  { weight: 6, arbitrary: texts },
  { weight: 2, arbitrary: fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.double()) },
  { weight: 2, arbitrary: fc.array(texts, { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
const object = fc.dictionary(fieldNames, value, { maxKeys: 6 });

/** A registration that may succeed: rare, since each costs the server a password hash. */
const registration = fc
  .tuple(fc.stringMatching(/^[a-z][a-z0-9]{5,20}$/), fc.boolean(), object)
  .map(([userName, autoLogin, more]) => ({ ...more, userName, password: "correct horse", autoLogin }));

const jsonText = fc
  .oneof(
    { weight: 30, arbitrary: object },
    { weight: 1, arbitrary: registration },
    { weight: 4, arbitrary: fc.array(object, { maxLength: 3 }) },
    { weight: 2, arbitrary: value },
  )
  .map((data) => JSON.stringify(data));
const cutJson = fc.tuple(jsonText, fc.nat({ max: 40 })).map(([text, at]) => text.slice(0, at));
const oddJson = fc.constantFrom(
  "[".repeat(20_000),
  '{"a":'.repeat(5_000),
  '{"__proto__":{"userName":"x"}}',
  '{"take":1e999}',
  '{"take":1,"TAKE":2}',
  "\ufeff{}",
  "\ufeff",
  " \n ",
  "nul",
  '"text"',
  "{} {}",
  '{"userName":"\\ud800"}',
  `{"password":"${"x".repeat(100_000)}"}`,
);
const json = fc
  .oneof({ weight: 8, arbitrary: jsonText }, { weight: 2, arbitrary: cutJson }, { weight: 1, arbitrary: oddJson })
  .map((text) => ({ type: "application/json", bytes: Buffer.from(text) }));

const formText = fc
  .array(fc.tuple(fieldNames, texts), { maxLength: 6 })
  .map((pairs) => new URLSearchParams(pairs).toString());
const form = fc
  .oneof(
    { weight: 5, arbitrary: formText },
    { weight: 1, arbitrary: fc.constantFrom("%", "a=%ff", "=", "&&&", "a=%zz&b", "+=+") },
  )
  .map((text) => ({ type: "application/x-www-form-urlencoded", bytes: Buffer.from(text) }));

const part = fc.tuple(fieldNames, texts, fc.constantFrom("", '; filename="a.txt"', "; x"));
const multipart = fc
  .tuple(fc.array(part, { maxLength: 4 }), fc.constantFrom("--", "", "-"), fc.constantFrom("b", '"b"', "other", ""))
  .map(([parts, end, boundary]) => {
    const blocks = parts.map(([name, text, more]) => {
      const quoted = name.replace(/[\r\n"]/g, "");
      return `--b\r\nContent-Disposition: form-data; name="${quoted}"${more}\r\n\r\n${text}\r\n`;
    });
    const type = boundary === "" ? "multipart/form-data" : `multipart/form-data; boundary=${boundary}`;
    return { type, bytes: Buffer.from(`${blocks.join("")}--b${end}\r\n`) };
  });

const garbage = fc.uint8Array({ maxLength: 300 }).map((bytes) => ({ type: undefined, bytes: Buffer.from(bytes) }));
const utf16 = jsonText.map((text) => ({
  type: "application/json; charset=utf-16",
  bytes: Buffer.from(text, "utf16le"),
}));
const packed = fc.tuple(jsonText, fc.boolean()).map(([text, gzip]) => ({
  type: "application/json",
  encoding: gzip ? "gzip" : "deflate",
  bytes: gzip ? gzipSync(text) : deflateSync(text),
}));
const empty = fc.constant({ type: undefined, bytes: Buffer.alloc(0) });
const tooLarge = fc.constant({ type: "application/json", bytes: Buffer.alloc(1_048_577, "x") });

/** Bodies of every kind that the gateway reads, valid and damaged, and of kinds that it does not read. */
export const bodies: fc.Arbitrary<FuzzBody> = fc.oneof(
  { weight: 300, arbitrary: empty },
  { weight: 300, arbitrary: json },
  { weight: 120, arbitrary: form },
  { weight: 120, arbitrary: multipart },
  { weight: 60, arbitrary: garbage },
  { weight: 30, arbitrary: utf16 },
  { weight: 30, arbitrary: packed },
  { weight: 1, arbitrary: tooLarge },
);
