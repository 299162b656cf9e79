import http from "node:http";
import { deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { weighted } from "../support/weighted.ts";
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

const value = weighted(
  [6, texts],
  [2, fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.double())],
  [2, fc.array(texts, { maxLength: 5 })],
  [1, fc.jsonValue({ maxDepth: 3 })],
);
const object = fc.dictionary(fieldNames, value, { maxKeys: 6 });

/** A registration that may succeed: rare, since each costs the server a password hash. */
const registration = fc
  .tuple(fc.stringMatching(/^[a-z][a-z0-9]{5,20}$/), fc.boolean(), object)
  .map(([userName, autoLogin, more]) => ({ ...more, userName, password: "correct horse", autoLogin }));

const data = weighted([30, object], [1, registration], [4, fc.array(object, { maxLength: 3 })], [2, value]);
const jsonText = data.map((value) => JSON.stringify(value));
const cutJson = fc.tuple(jsonText, fc.nat({ max: 40 })).map(([text, at]) => text.slice(0, at));
const longJson = ["[".repeat(20_000), '{"a":'.repeat(5_000), `{"password":"${"x".repeat(100_000)}"}`];
const oddObjects = [
  '{"__proto__":{"userName":"x"}}',
  '{"take":1e999}',
  '{"take":1,"TAKE":2}',
  '{"userName":"\\ud800"}',
];
const noObjects = ["\ufeff{}", "\ufeff", " \n ", "nul", '"text"', "{} {}"];
const oddJson = fc.constantFrom(...longJson, ...oddObjects, ...noObjects);
const json = weighted([8, jsonText], [2, cutJson], [1, oddJson]).map(bodyOf("application/json"));

const formText = fc
  .array(fc.tuple(fieldNames, texts), { maxLength: 6 })
  .map((pairs) => new URLSearchParams(pairs).toString());
const oddForm = fc.constantFrom("%", "a=%ff", "=", "&&&", "a=%zz&b", "+=+");
const form = weighted([5, formText], [1, oddForm]).map(bodyOf("application/x-www-form-urlencoded"));

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
const packed = fc.tuple(jsonText, fc.constantFrom("gzip", "deflate")).map(([text, encoding]) => ({
  type: "application/json",
  encoding,
  bytes: encoding === "gzip" ? gzipSync(text) : deflateSync(text),
}));
const empty = fc.constant({ type: undefined, bytes: Buffer.alloc(0) });
const tooLarge = fc.constant(bodyOf("application/json")("x".repeat(1_048_577)));

/** Bodies of every kind that the gateway reads, valid and damaged, and of kinds that it does not read. */
const bodies: fc.Arbitrary<FuzzBody> = weighted(
  [300, empty],
  [300, json],
  [120, form],
  [120, multipart],
  [60, garbage],
  [30, utf16],
  [30, packed],
  [1, tooLarge],
);

const verbs = weighted(
  [4, fc.constantFrom("GET", "POST")],
  [1, fc.constantFrom(...http.METHODS.filter((method) => method !== "CONNECT"))],
);

const knownTypes = "text/plain application/json multipart/form-data application/x-www-form-urlencoded x";
const types = fc.constantFrom("", ...knownTypes.split(" "));
const cookies = ["ss-id=abc", `ss-id=${knownSession}`, "ss-id=", "a=b; ss-id=%00", "=;=;"];
const authorizations = ["Bearer abc", `Bearer ${knownSession}`, "Bearer ", "Basic YTpi", "é"];
const header = fc.oneof(
  headerOf("accept", "*/*", "text/html", "application/xml", ""),
  headerOf("origin", "http://example.org", "null", "é"),
  headerOf("access-control-request-method", "PUT", "x y"),
  headerOf("access-control-request-headers", "content-type, x-a", ","),
  headerOf("cookie", ...cookies),
  headerOf("authorization", ...authorizations),
  headerOf("if-none-match", "*", '"a"', 'W/"a", "b', ","),
  headerOf("x-http-method-override", "DELETE", "x"),
  headerOf("range", "bytes=0-1"),
  headerOf("upgrade", "websocket", "h2c"),
  fc.oneof(
    ...["x-forwarded-for", "x-forwarded-proto", "forwarded"].map((name) => headerOf(name, "1.2.3.4", "https", ",,")),
  ),
  headerOf("accept-encoding", "gzip, br", "identity;q=0", "*"),
  fc.tuple(fc.stringMatching(/^x-[a-z]{1,8}$/), fc.stringMatching(/^[ -~\xa0-\xff]{0,40}$/)),
);
const expectation = headerOf("expect", "100-continue", "more");

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
  return weighted([n - 1, fc.constant(null)], [1, value]);
}

function bodyOf(type: string): (text: string) => FuzzBody {
  return (text) => ({ type, bytes: Buffer.from(text) });
}

function headerOf(name: string, ...values: string[]): fc.Arbitrary<[string, string]> {
  return fc.tuple(fc.constant(name), fc.constantFrom(...values));
}
