import fc from "fast-check";
import { weighted } from "../support/weighted.ts";

/** What a client does after its bytes: sends one more request with Connection: close, half-closes, waits, or resets. */
export type Ending = "probe" | "fin" | "wait" | "reset";

export interface RawCase {
  /** Written one after the other, each in another turn of the event loop. */
  pieces: readonly Buffer[];
  ending: Ending;
}

const methods = weighted(
  [8, fc.constantFrom("GET", "POST", "PUT", "HEAD", "OPTIONS", "DELETE")],
  [1, fc.constantFrom("get", "", "CONNECT", "FETCH", "PRI", "M-SEARCH", "\xff", " GET", "TRACE")],
);
const oddPaths =
  "/social/% http://x/register * x:80 // ? a /social/a?callback=f /register?callback=alert(1) /social/a#b".split(" ");
const oddBytes = ["/social/\xff", "/social/\0", "", "/a b"];
const longPaths = [49_000, 70_000].map((length) => `/${"a".repeat(length)}`);
const targets = weighted(
  [5, fc.constantFrom("/social/walter", "/register", "/json/reply/SocialUsers", "/nope", "/api/SocialUsers[]")],
  [2, fc.constantFrom(...oddPaths, ...oddBytes, ...longPaths)],
);
const versions = weighted(
  [14, fc.constant("HTTP/1.1")],
  [1, fc.constantFrom("HTTP/1.0", "HTTP/2.0", "HTTP/0.9", "http/1.1", "", "HTTP/1.15", "HTTP/1.1 x")],
);
const eol = weighted([30, fc.constant("\r\n")], [1, fc.constantFrom("\n", "\r", "\r\r\n", "")]);

const goodHeaders = ["Accept: */*", "Content-Type: application/json", "Cookie: ss-id=a", "Origin: http://y", "X: é"];
const oddLengths = ["5", "-1", "+2", "0x2", "2, 2", "", "99999999999999999999", "1048577"];
const oddCodings = ["chunked", "gzip", "chunked, chunked", "identity", "\x0bchunked"];
const controls = ["Connection: close", "Upgrade: websocket", "Expect: 100-continue", "Expect: more", "Trailer: X"];
const oddLines = ["Host: y", "nothing", "X : y", ": y", "X: a\r\n b", "X: \0", "X: \xff", "X\xff: y", "X:\ty"];
const oddHeaders = [
  ...oddLengths.map((length) => `Content-Length: ${length}`),
  ...oddCodings.map((coding) => `Transfer-Encoding: ${coding}`),
  ...controls,
  ...oddLines,
  "Connection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk",
  `X: ${"a".repeat(70_000)}`,
  "X: y\r\n".repeat(2_500),
];
const headers = fc
  .tuple(
    fc.array(fc.constantFrom(...goodHeaders), { maxLength: 2 }),
    weighted([2, fc.constant([])], [1, fc.array(fc.constantFrom(...oddHeaders), { maxLength: 2 })]),
  )
  .map((lists) => lists.flat());
const hosts = weighted([15, fc.constant(["Host: x"])], [1, fc.constant([])]);

const contents = [
  "{}",
  '{"screenNames":["walter"]}',
  '{"userName":"a"}',
  "{",
  "[]",
  "[{}]",
  "null",
  "GET / HTTP/1.1\r\n\r\n",
];
const content = fc.oneof(fc.constantFrom(...contents), binary(60));
const chunkSizes = weighted(
  [8, fc.constant(undefined)],
  [1, fc.constantFrom("zz", "-1", "ffffffffffffffff", "1;x=y", "0x2", "", " 2", "fffff", "2\n")],
);
const chunked = fc
  .tuple(
    fc.array(fc.tuple(content, chunkSizes), { maxLength: 3 }),
    fc.constantFrom("0\r\n\r\n", "0\r\nX: y\r\n\r\n", "0\r\n", "", "0\r\nno\r\n\r\n"),
  )
  .map(([chunks, end]) => ({
    header: ["Transfer-Encoding: chunked"],
    text: chunks.map(([text, size]) => `${size ?? text.length.toString(16)}\r\n${text}\r\n`).join("") + end,
  }));
const withLength = (text: string, length = text.length) => ({ header: [`Content-Length: ${length}`], text });
const bodies = weighted(
  [3, fc.constant({ header: [], text: "" })],
  [3, content.map((text) => withLength(text))],
  [1, fc.tuple(content, fc.nat({ max: 90 })).map(([text, length]) => withLength(text, length))],
  [3, chunked],
);

const request = fc
  .record({ method: methods, target: targets, version: versions, eol, hosts, headers, body: bodies })
  .map(({ method, target, version, eol: end, hosts: host, headers: more, body }) => {
    const lines = [`${method} ${target} ${version}`, ...host, ...more, ...body.header];
    return `${lines.map((line) => line + end).join("")}${end}${body.text}`;
  });
const otherProtocols = [
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
  "SSH-2.0-x\r\n",
  "*1\r\n$4\r\nPING\r\n",
];
const nearlyNothing = ["\r\n\r\n", "", "\0", "GET", "GET /", "x".repeat(100_000)];
const stream = weighted(
  [20, fc.array(request, { minLength: 1, maxLength: 4 }).map((requests) => requests.join(""))],
  [1, fc.constantFrom(...otherProtocols, ...nearlyNothing)],
  [1, binary(200)],
);

const place = fc.nat({ max: 300 });
/** Where bytes are changed, how many, and into which: mostly none, else bytes are inserted or replaced, or all that follow are cut off. */
const damage = weighted(
  [3, fc.constant([0, 0, ""] as const)],
  [1, fc.tuple(place, fc.constant(0), binary(200))],
  [
    1,
    fc.tuple(
      place,
      fc.constant(1),
      fc.nat({ max: 255 }).map((byte) => String.fromCharCode(byte)),
    ),
  ],
  [1, fc.tuple(place, fc.constant(Number.POSITIVE_INFINITY), fc.constant(""))],
);

const endings = weighted(
  [40, fc.constant<Ending>("probe")],
  [4, fc.constant<Ending>("fin")],
  [2, fc.constant<Ending>("wait")],
  [2, fc.constant<Ending>("reset")],
);

/** Connections with HTTP, with nearly valid HTTP, and with other bytes. */
export const rawCases: fc.Arbitrary<RawCase> = fc
  .tuple(stream, damage, fc.array(place, { maxLength: 2 }), endings)
  .map(([text, [at, replaced, bytes], cuts, ending]) => {
    const damaged = text.slice(0, at) + bytes + text.slice(at + replaced);
    return { pieces: split(Buffer.from(damaged, "latin1"), cuts), ending };
  });

/** Any bytes, as a text of Latin-1. */
function binary(maxLength: number): fc.Arbitrary<string> {
  return fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes).toString("latin1"));
}

function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}
