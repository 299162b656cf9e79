import fc from "fast-check";
import { weighted } from "../support/weighted.ts";
import { publicOperations } from "./public-operations.ts";
import { fieldNames, texts, urlText } from "./texts.ts";

/** Valid callback names, by which a reply must be a JSONP call. */
export const goodCallbacks: readonly string[] = ["f", "jQuery36008_1700000", "$"];

const operations = publicOperations.map(({ name }) => name);
const generic = ["/json/reply/", "/api/", "/json/syncreply/", "/json/oneway/", "/json/asynconeway/"];

const encoded = texts.map(urlText);
const broken = fc.constantFrom(..."% %zz %ff %00 %2f %2e%2e %c3%28 .. . + a%2Cb ; @ %25".split(" "));
const segment = weighted([5, encoded], [1, broken]);
const list = weighted(
  [20, fc.array(segment, { minLength: 1, maxLength: 4 }).map((items) => items.join(","))],
  [1, fc.integer({ min: 90, max: 1_100 }).map((n) => "12345678,".repeat(n))],
);

const operationPath = fc.oneof(
  fc.constant("/register"),
  fc.constantFrom("/social/walter", "/social/walter/timelines", "/social/ids/1"),
  list.map((ids) => `/social/ids/${ids}`),
  list.map((names) => `/social/${names}`),
  segment.map((name) => `/social/${name}/timelines`),
  fc
    .tuple(fc.constantFrom(...publicOperations.flatMap(({ paths }) => paths)), segment, segment)
    .map(([path, one, other]) => path.replace(/\{\w+\}/, one).replace(/\{\w+\}/, other)),
  fc
    .tuple(
      fc.constantFrom(...generic),
      fc.constantFrom(...operations, "Nothing", "constructor"),
      fc.constantFrom("", "", "[]", "%5B%5D"),
    )
    .map((parts) => parts.join("")),
);
const pages = "/ /@walter /join /walter /openapi.json /docs /metadata /metadata/Registration /favicon.ico";
const ownPage = fc.constantFrom(...pages.split(" "));
const anyPath = fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join("/")}`);

/** Other spellings of a path, most of which mean the same. */
const spellings: ((path: string) => string)[] = [
  (path) => path.toUpperCase(),
  (path) => `${path}/`,
  (path) => path.replace("/", "//"),
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => `http://elsewhere${path}`,
];
const respelled = fc
  .tuple(operationPath, weighted([7, fc.constant((path: string) => path)], [5, fc.constantFrom(...spellings)]))
  .map(([path, respell]) => respell(path));

const field = fc.tuple(fieldNames, encoded).map(([name, value]) => `${encodeURIComponent(name)}=${value}`);
const pair = weighted(
  [40, field],
  [4, fc.constantFrom(...goodCallbacks).map((name) => `callback=${name}`)],
  [1, segment.map((name) => `callback=${name}`)],
  [1, fc.constantFrom("callback", "callback=a.b%5B0%5D", "CALLBACK=f", "callback=alert(1)", "callback=")],
  [1, segment],
);
const query = fc.array(pair, { maxLength: 4 }).map((pairs) => (pairs.length === 0 ? "" : `?${pairs.join("&")}`));
const tooLong = fc.constantFrom(`?x=${"a".repeat(49_000)}`, `?callback=f&x=${"a".repeat(52_000)}`);

/** Request targets: paths of the contract in right and wrong spellings, unknown paths, and queries. */
export const targets: fc.Arbitrary<string> = fc
  .tuple(weighted([12, respelled], [2, anyPath], [1, ownPage]), weighted([200, query], [1, tooLong]))
  .map((parts) => parts.join(""));
