import http from "node:http";
import fc from "fast-check";
import { bodies } from "./bodies.ts";
import type { FuzzCase } from "./fuzz-case.ts";
import { operationCases } from "./operation-cases.ts";
import { targets } from "./targets.ts";
import { knownSession } from "./texts.ts";

const verbs = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("GET", "POST") },
  { weight: 1, arbitrary: fc.constantFrom(...http.METHODS.filter((method) => method !== "CONNECT")) },
);

const types = fc.constantFrom(
  "text/plain",
  "application/json",
  "multipart/form-data",
  "application/x-www-form-urlencoded",
  "x",
  "",
);
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
