import http from "node:http";
import { deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import type { FuzzCase } from "./fuzz-case.ts";
import { operationCases } from "./operation-cases.ts";
import { targets } from "./targets.ts";
import { fieldNames, knownSession, texts } from "./texts.ts";

/** A body with its content type. */
interface FuzzBody {
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
const bodies: fc.Arbitrary<FuzzBody> = fc.oneof(
  { weight: 300, arbitrary: empty },
  { weight: 300, arbitrary: json },
  { weight: 120, arbitrary: form },
  { weight: 120, arbitrary: multipart },
  { weight: 60, arbitrary: garbage },
  { weight: 30, arbitrary: utf16 },
  { weight: 30, arbitrary: packed },
  { weight: 1, arbitrary: tooLarge },
);

const verbs = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("GET", "POST") },
  { weight: 1, arbitrary: fc.constantFrom(...http.METHODS.filter((method) => method !== "CONNECT")) },
);

const knownTypes = "text/plain application/json multipart/form-data application/x-www-form-urlencoded x";
const types = fc.constantFrom("", ...knownTypes.split(" "));
const header = fc.oneof(
  fc.tuple(fc.constant("accept"), fc.constantFrom("*/*", "text/html", "application/xml", "")),
  fc.tuple(fc.constant("origin"), fc.constantFrom("http://example.org", "null", "é")),
  fc.tuple(fc.constant("access-control-request-method"), fc.constantFrom("PUT", "x y")),
  fc.tuple(fc.constant("access-control-request-headers"), fc.constantFrom("content-type, x-a", ",")),
  fc.tuple(
    fc.constant("cookie"),
    fc.constantFrom("ss-id=abc", `ss-id=${knownSession}`, "ss-id=", "a=b; ss-id=%00", "=;=;"),
  ),
  fc.tuple(
    fc.constant("authorization"),
    fc.constantFrom("Bearer abc", `Bearer ${knownSession}`, "Bearer ", "Basic YTpi", "é"),
  ),
  fc.tuple(fc.constant("if-none-match"), fc.constantFrom("*", '"a"', 'W/"a", "b', ",")),
  fc.tuple(fc.constant("x-http-method-override"), fc.constantFrom("DELETE", "x")),
  fc.tuple(fc.constant("range"), fc.constant("bytes=0-1")),
  fc.tuple(fc.constant("upgrade"), fc.constantFrom("websocket", "h2c")),
  fc.tuple(
    fc.constantFrom("x-forwarded-for", "x-forwarded-proto", "forwarded"),
    fc.constantFrom("1.2.3.4", "https", ",,"),
  ),
  fc.tuple(fc.constant("accept-encoding"), fc.constantFrom("gzip, br", "identity;q=0", "*")),
  fc.tuple(fc.stringMatching(/^x-[a-z]{1,8}$/), fc.stringMatching(/^[ -~\xa0-\xff]{0,40}$/)),
);
const expectation = fc.tuple(fc.constant("expect"), fc.constantFrom("100-continue", "more"));

/** Requests that Node's own client can send; the raw-socket fuzzer sends others. */
const oddCases: fc.Arbitrary<FuzzCase> = fc
  .record({
    method: verbs,
    target: targets,
    body: bodies,
    otherType: seldom(5, types),
    headers: fc.array(header, { maxLength: 3 }),
    expect: seldom(60, expectation),
    chunked: fc.boolean(),
  })
  .map(({ method, target, body, otherType, headers, expect, chunked }) => {
    const type = otherType ?? body.type;
    const typeHeaders: [string, string][] = type === undefined ? [] : [["content-type", type]];
    if (body.encoding !== undefined) typeHeaders.push(["content-encoding", body.encoding]);
    return {
      method,
      target,
      headers: [...typeHeaders, ...headers, ...(expect === null ? [] : [expect])],
      body: body.bytes,
      chunked: chunked && body.bytes.length > 0,
    };
  });

/** Odd requests, and as many that an operation may accept. */
export const cases: fc.Arbitrary<FuzzCase> = fc.oneof(oddCases, operationCases);

/** A value in one of n cases, else null. */
function seldom<T>(n: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: n - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
}
