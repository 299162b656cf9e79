// Operations whose caching is defined by their annotations only.
import type { MessageInitShape } from "@bufbuild/protobuf";
import { createRouterTransport } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { createCacheCounts } from "../../gateway/cache/cache-metrics.ts";
import { createCachedOperations } from "../../gateway/cache/cached-operations.ts";
import type { CachedReads } from "../../gateway/cache/reads/cached-read.ts";
import { warmUp } from "../../gateway/cache/warm-up.ts";
import { loadConfig } from "../../gateway/config.ts";
import { deadlineAfter } from "../../gateway/http/limits/deadline.ts";
import { compileOperations } from "../../gateway/operations/operation-table.ts";
import type { CacheSchema } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { notFound } from "../../services/platform/errors.ts";
import { createLog } from "../../services/platform/log.ts";
import { createRegistry } from "../../services/platform/metrics/registry.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";
import { type MadeField, makeService } from "./made-descriptors.ts";

const Cached = suite("operations that are cached by annotation");

type Cache = MessageInitShape<typeof CacheSchema>;
type Handler = (request: Record<string, unknown>) => object;

/** A cached read of an operation `Ask`, in which a user's token consists of the state and the name key. */
function open(
  parts: Omit<Parameters<typeof makeService>[0], "methods">,
  cache: Cache,
  ask: Handler,
  isRead = true,
  config = loadConfig({}),
) {
  const state = { token: "s1", tokenOf: (name: string) => `${state.token}-${name}` };
  const service = makeService({ ...parts, methods: [{ name: "Ask", paths: [], isRead, cache }] });
  const transport = createRouterTransport((router) => void router.service(service, { ask } as object));
  const operations = compileOperations([{ service, transport }]);
  const freshness = {
    listTokens: async ({ screenNames = [] }: { screenNames?: string[] }) =>
      ({ tokens: screenNames.map((name) => state.tokenOf(name)), viewerTokens: [], keepMs: 0, tick: "" }) as never,
    listRelationDigests: () => Promise.reject(new Error("no viewer reads")),
  };
  const services = { freshness, sessions: {} as never };
  const counts = createCacheCounts(createRegistry());
  const cached = createCachedOperations(config, createLog("test", "silent"), services, operations, counts);
  const prepare = (query: string) => {
    const anonymous = cached.reads.get("Ask")!.anonymous(operations[0]!.bind({}, [[...new URLSearchParams(query)]]));
    return async () => (await anonymous.load("identity", deadlineAfter(60_000))).bytes.toString();
  };
  return { prepare, read: (query: string) => prepare(query)(), state };
}

const text = (name: string, more?: Partial<MadeField>): MadeField => ({ name, type: "STRING", ...more });
const mark = text("mark", { isInternal: true });
const number: MadeField = { name: "number", type: "INT32" };

const pageParts = { request: [text("who"), number], reply: [text("words"), mark] };
const pageCache: Cache = { name: "words", subject: "who", state: "mark", kind: { case: "page", value: {} } };

Cached("reuse a page while its user's state is the same, separately for each number", async () => {
  const requests: string[] = [];
  const { read, state } = open(pageParts, pageCache, ({ who, number }) => {
    requests.push(`${who} ${number}`);
    return { words: `${who} ${number} ${requests.length}`, mark: `${state.token}-ann` };
  });
  for (const query of ["who=ann", "who=ANN", "who=ann&number=0"]) assert.is(await read(query), '{"words":"ann 0 1"}');
  assert.is(await read("who=ann&number=7"), '{"words":"ann 7 2"}');
  state.token = "s2";
  assert.is(await read("who=ann"), '{"words":"ann 0 3"}');
  // For an invalid screen name there are no tokens, so nothing is cached.
  for (const page of [4, 5]) assert.is(await read("who=-"), `{"words":"- 0 ${page}"}`);
});

Cached("cache that a name is unknown while its token says so, separately for each name and request", async () => {
  const requests: string[] = [];
  const { prepare, read, state } = open(pageParts, pageCache, ({ who, number }) => {
    requests.push(`${who} ${number}`);
    if (who === "ann") return { words: "of ann", mark: "s1-ann" };
    throw notFound(`no ${number}`);
  });
  const refusal = (query: string) => read(query).catch((error: Error) => error.message);
  state.tokenOf = () => "unknown";
  // A name that was registered a moment ago together with an unknown one.
  assert.equal(await Promise.all([read("who=ann"), refusal("who=bea")]), ['{"words":"of ann"}', "no 0"]);
  for (const [query, message] of [
    ["who=bea", "no 0"],
    ["who=bea&number=1", "no 1"],
  ] as const) {
    const again = prepare(query);
    requests.length = 0;
    for (let time = 0; time < 3; time++) assert.is(await again().catch((error: Error) => error.message), message);
    assert.is(requests.length, 1);
    // Refusals about a suspended or an existing user are not cached: the next one may differ.
    for (const token of ["nobody", "s1-bea"]) {
      state.tokenOf = () => token;
      for (let time = 0; time < 2; time++) await again().catch(() => {});
    }
    assert.is(requests.length, 5);
    state.tokenOf = () => "unknown";
    await again().catch(() => {});
    assert.is(requests.length, 5);
  }
});

const list: MadeField = { name: "found", type: "MESSAGE", isList: true, typeName: ".made.Entry" };
const entryParts = {
  request: [text("whose", { isList: true }), number],
  reply: [list],
  entry: [text("who"), text("words"), mark],
};
const entries: Cache["kind"] = { case: "entries", value: { subject: "who" } };
const entryCache: Cache = { name: "entries", subject: "whose", state: "mark", kind: entries };

Cached("compose replies of entries, each of which is requested once", async () => {
  const requests: string[] = [];
  const { read, state } = open(entryParts, entryCache, ({ whose, number }) => {
    const names = whose as string[];
    requests.push(`${names.join(" ")} ${number}`);
    return { found: names.map((who) => ({ who, words: `of ${who}`, mark: `${state.token}-${who}` })) };
  });
  const ann = '{"who":"ann","words":"of ann"}';
  const bea = '{"who":"bea","words":"of bea"}';
  assert.is(await read("whose=ann"), `{"found":[${ann}]}`);
  for (let round = 0; round < 2; round++) assert.is(await read("whose=bea,Ann"), `{"found":[${bea},${ann}]}`);
  // A request with another field is not composed of entries.
  for (let round = 0; round < 2; round++) await read("whose=ann&number=3");
  assert.equal(requests, ["ann 0", "bea 0", "ann 3", "ann 3"]);
});

type Row = [why: string, parts: Parameters<typeof open>[0], cache: Cache, complaint: RegExp];
const page = (value: object): Cache => ({ ...pageCache, kind: { case: "page", value } });
const faults: Row[] = [
  ["without a kind", pageParts, { ...pageCache, kind: { case: undefined } }, /says neither page nor entries/],
  ["by an unknown field", pageParts, { ...pageCache, subject: "whom" }, /made\.Request has no field whom/],
  ["by a number", pageParts, { ...pageCache, subject: "number" }, /made\.Request\.number is not one text/],
  ["without its state", pageParts, { ...pageCache, state: "" }, /made\.Reply has no field/],
  ["with texts for its pages", { ...pageParts, request: [text("who"), mark] }, pageCache, /mark is no number/],
  ["with an unknown size field", pageParts, page({ listRpc: "Ask", size: "x" }), /made\.Request has no field x/],
  ["with a size of no limit", pageParts, page({ listRpc: "Ask", size: "number" }), /number has no rules max and/],
  ["with entries by one text", pageParts, { ...pageCache, kind: entries }, /made\.Request\.who is no list of texts/],
  [
    "with entries, but no list in the reply",
    { ...entryParts, reply: [mark] },
    entryCache,
    /does not answer with a list/,
  ],
  ["with hidden entries", { ...entryParts, reply: [{ ...list, isInternal: true }] }, entryCache, /not always written/],
  ["with entries of no user", { ...entryParts, entry: [mark] }, entryCache, /made\.Entry has no field who/],
];
for (const [why, parts, cache, complaint] of faults) {
  Cached(`fail at boot ${why}`, () => {
    assert.throws(() => open(parts, cache, () => ({})), complaint);
  });
}

Cached("fail at boot when they change something", () => {
  assert.throws(() => open(pageParts, pageCache, () => ({}), false), /Ask changes something, so it cannot be cached/);
});

Cached("fail at boot with a cache that is too small to be divided, with a message that says so", () => {
  for (const bytes of ["1", "9", "1023"]) {
    const refusal = /PAGE_CACHE_BYTES must be 0, or at least 1024$/;
    assert.throws(() => loadConfig({ PAGE_CACHE_BYTES: bytes }), refusal, bytes);
  }
  const smallest = loadConfig({ PAGE_CACHE_BYTES: "1024" });
  assert.not.throws(() => open(pageParts, pageCache, () => ({}), true, smallest));
  assert.not.throws(() => open(entryParts, entryCache, () => ({}), true, smallest));
  assert.is(loadConfig({ PAGE_CACHE_BYTES: "0" }).pageCacheBytes, 0);
});

Cached("are read once at a start, which waits for a read no longer than two seconds", async () => {
  const service = makeService({ ...pageParts, methods: [{ name: "Ask", paths: [], isRead: true, cache: pageCache }] });
  const transport = createRouterTransport((router) => void router.service(service, {} as object));
  let loads = 0;
  const load = () => {
    loads++;
    return new Promise(() => {});
  };
  const reads = new Map([["Ask", { anonymous: () => ({ load }) } as unknown as CachedReads]]);
  let isWarm = false;
  void warmUp(compileOperations([{ service, transport }]), reads).then(() => (isWarm = true));
  await eventually("the end", async () => isWarm);
  assert.is(loads, 1);
});

Cached.run();
