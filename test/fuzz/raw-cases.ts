import fc from "fast-check";

/** What a client does after its bytes: sends one more request with Connection: close, half-closes, waits, or resets. */
export type Ending = "probe" | "fin" | "wait" | "reset";

export interface RawCase {
  /** Written one after the other, each in another turn of the event loop. */
  pieces: readonly Buffer[];
  ending: Ending;
}

const methods = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("GET", "POST", "PUT", "HEAD", "OPTIONS", "DELETE") },
  { weight: 1, arbitrary: fc.constantFrom("get", "", "CONNECT", "FETCH", "PRI", "M-SEARCH", "\xff", " GET", "TRACE") },
);
const targets = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom("/social/walter", "/register", "/json/reply/SocialUsers", "/nope", "/api/SocialUsers[]"),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "/social/%",
      "/social/\xff",
      "/social/\0",
      "http://x/register",
      "*",
      "x:80",
      "",
      "/a b",
      "//",
      "?",
      "a",
      "/social/a?callback=f",
      "/register?callback=alert(1)",
      "/social/a#b",
      `/${"a".repeat(49_000)}`,
      `/${"a".repeat(70_000)}`,
    ),
  },
);
const versions = fc.oneof(
  { weight: 14, arbitrary: fc.constant("HTTP/1.1") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("HTTP/1.0", "HTTP/2.0", "HTTP/0.9", "http/1.1", "", "HTTP/1.15", "HTTP/1.1 x"),
  },
);
const eol = fc.oneof(
  { weight: 30, arbitrary: fc.constant("\r\n") },
  { weight: 1, arbitrary: fc.constantFrom("\n", "\r", "\r\r\n", "") },
);
const goodHeaders = fc.constantFrom(
  "Accept: */*",
  "Content-Type: application/json",
  "Cookie: ss-id=a",
  "Origin: http://y",
  "X: é",
);
const oddHeaders = fc.constantFrom(
  "Host: y",
  "Connection: close",
  "Connection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk",
  "Upgrade: websocket",
  "Expect: 100-continue",
  "Expect: more",
  "nothing",
  "X : y",
  ": y",
  "X: a\r\n b",
  "X: \0",
  "X: \xff",
  "X\xff: y",
  "X:\ty",
  "Content-Length: 5",
  "Content-Length: -1",
  "Content-Length: +2",
  "Content-Length: 0x2",
  "Content-Length: 2, 2",
  "Content-Length:",
  "Content-Length: 99999999999999999999",
  "Content-Length: 1048577",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip",
  "Transfer-Encoding: chunked, chunked",
  "Transfer-Encoding: identity",
  "Transfer-Encoding:\x0bchunked",
  "Trailer: X",
  `X: ${"a".repeat(70_000)}`,
  "X: y\r\n".repeat(2_500),
);
const headers = fc
  .tuple(
    fc.array(goodHeaders, { maxLength: 2 }),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(oddHeaders, { maxLength: 2 }) },
    ),
  )
  .map((lists) => lists.flat());
const hosts = fc.oneof({ weight: 15, arbitrary: fc.constant(["Host: x"]) }, { weight: 1, arbitrary: fc.constant([]) });

const content = fc.oneof(
  fc.constantFrom(
    "{}",
    '{"screenNames":["walter"]}',
    '{"userName":"a"}',
    "{",
    "[]",
    "[{}]",
    "null",
    "GET / HTTP/1.1\r\n\r\n",
  ),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
);
const chunkSizes = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom("zz", "-1", "ffffffffffffffff", "1;x=y", "0x2", "", " 2", "fffff", "2\n") },
);
const bodies = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ header: [] as string[], text: "" }) },
  { weight: 3, arbitrary: content.map((text) => ({ header: [`Content-Length: ${text.length}`], text })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(content, fc.nat({ max: 90 }))
      .map(([text, length]) => ({ header: [`Content-Length: ${length}`], text })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.array(fc.tuple(content, chunkSizes), { maxLength: 3 }),
        fc.constantFrom("0\r\n\r\n", "0\r\nX: y\r\n\r\n", "0\r\n", "", "0\r\nno\r\n\r\n"),
      )
      .map(([chunks, end]) => ({
        header: ["Transfer-Encoding: chunked"],
        text: chunks.map(([text, size]) => `${size ?? text.length.toString(16)}\r\n${text}\r\n`).join("") + end,
      })),
  },
);

const request = fc
  .record({ method: methods, target: targets, version: versions, eol, hosts, headers, body: bodies })
  .map(({ method, target, version, eol: end, hosts: host, headers: more, body }) => {
    const lines = [`${method} ${target} ${version}`, ...host, ...more, ...body.header];
    return `${lines.map((line) => line + end).join("")}${end}${body.text}`;
  });
const foreign = fc.constantFrom(
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
  "\r\n\r\n",
  "",
  "\0",
  "SSH-2.0-x\r\n",
  "*1\r\n$4\r\nPING\r\n",
  "GET",
  "GET /",
  "x".repeat(100_000),
);
const binary = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("latin1"));
const stream = fc.oneof(
  { weight: 20, arbitrary: fc.array(request, { minLength: 1, maxLength: 4 }).map((requests) => requests.join("")) },
  { weight: 1, arbitrary: foreign },
  { weight: 1, arbitrary: binary },
);

/** Changes of the bytes: mostly none, else inserted or changed bytes, or a truncation. */
const damage = fc.oneof(
  { weight: 3, arbitrary: fc.constant((text: string) => text) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat({ max: 300 }), binary).map(
      ([at, bytes]) =>
        (text: string) =>
          text.slice(0, at) + bytes + text.slice(at),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat({ max: 300 }), fc.nat({ max: 255 })).map(
      ([at, byte]) =>
        (text: string) =>
          text.slice(0, at) + String.fromCharCode(byte) + text.slice(at + 1),
    ),
  },
  { weight: 1, arbitrary: fc.nat({ max: 300 }).map((at) => (text: string) => text.slice(0, at)) },
);

const endings = fc.oneof(
  { weight: 40, arbitrary: fc.constant<Ending>("probe") },
  { weight: 4, arbitrary: fc.constant<Ending>("fin") },
  { weight: 2, arbitrary: fc.constant<Ending>("wait") },
  { weight: 2, arbitrary: fc.constant<Ending>("reset") },
);

/** Connections with HTTP, with nearly valid HTTP, and with other bytes. */
export const rawCases: fc.Arbitrary<RawCase> = fc
  .tuple(stream, damage, fc.array(fc.nat({ max: 300 }), { maxLength: 2 }), endings)
  .map(([text, change, cuts, ending]) => ({ pieces: split(Buffer.from(change(text), "latin1"), cuts), ending }));

function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}
