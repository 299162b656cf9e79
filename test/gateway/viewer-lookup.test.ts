// Lookups of several users by viewers: what is cached for one viewer must never be shown to another one who would see something else.
import { brotliDecompressSync } from "node:zlib";
import * as assert from "uvu/assert";
import { createCacheCounts } from "../../gateway/cache/cache-metrics.ts";
import { createPageCache } from "../../gateway/cache/pages/page-cache.ts";
import type { ReadCache } from "../../gateway/cache/reads/cached-read.ts";
import { viewerLookup } from "../../gateway/cache/reads/viewer-lookup.ts";
import type { SeenState } from "../../gateway/cache/tokens/seen-states.ts";
import type { Encoding } from "../../gateway/http/replies/encoding.ts";
import { wholeBytes } from "../../gateway/rendering/assembled-bytes.ts";
import { entryUsersHeader, viewerSeenHeader, viewerStateHeader } from "../../services/platform/connect/identity.ts";
import { createRegistry } from "../../services/platform/metrics/registry.ts";
import { viewerKey } from "../../services/platform/redis/freshness-key.ts";
import { suite } from "../support/suite.ts";
import { openViewerEntries } from "./open-viewer-entries.ts";
import { viewerWith } from "./viewer-with.ts";

const Lookups = suite("lookups of viewers");

const deadline = performance.now() + 60_000;

/** Lookups of ann (7) and bea (8) in a system with these relations of viewers; replies name the viewer's state for which they were made. */
function open(relations: Record<string, Record<string, string>>) {
  /** The states of viewers, by id. */
  const states = new Map<string, string>();
  const stateOf = (viewer: string) => states.get(viewer) ?? `${viewer}.1`;
  const hooks = { beforeAnswer: (_viewer: string) => {}, stateHeader: viewerStateHeader };
  /** The states to which tokens were raised. */
  const raised: SeenState[] = [];
  const { entries, join } = openViewerEntries((viewer, names) => {
    hooks.beforeAnswer(viewer);
    const own = stateOf(viewer);
    const users = names.map((screenName) => ({
      screenName,
      freshness: `s-${screenName}`,
      description: `${own} `.repeat(200),
    }));
    const ids = names.map((name) => (name === "ann" ? "7" : "8"));
    return { users, headers: { [hooks.stateHeader]: own, [entryUsersHeader]: ids.join(",") } };
  });
  const tokenOf = (key: string, viewer: string) => (key === viewerKey(viewer) ? stateOf(viewer) : `s-${key}`);
  const cache = {
    pages: createPageCache(1_000_000, undefined, createCacheCounts(createRegistry()).pages),
    raiseTokens: async (seen: readonly SeenState[]) => void raised.push(...seen),
    loadOrAnnounce: (_read: unknown, load: () => unknown) => load(),
    findRelations: (viewer: string, token: string) => viewerWith(token, relations[viewer]).relations,
  };
  const counts = { process: { hit: { value: 0 }, miss: { value: 0 } } };
  const read = async (viewer: string, encoding: Encoding) => {
    const tokensOf = (keys: readonly string[]) => ({ read: async () => keys.map((key) => tokenOf(key, viewer)) });
    const lookups = { entries, join, cache: { ...cache, tokensOf } as unknown as ReadCache, counts: counts as never };
    const { bytes, etag } = await viewerLookup(lookups, ["ann", "bea"])(viewer).load(encoding, deadline);
    const plain = wholeBytes(bytes);
    const text = (encoding === "br" ? brotliDecompressSync(plain) : plain).toString();
    return { etag, madeFor: [...new Set(text.match(/\d\.\d(?= )/g))].sort() };
  };
  return { read, states, hooks, raised };
}

Lookups("that show a later state of the viewer than was asked for are shown to no other viewer", async () => {
  for (const encoding of ["br", "identity"] as const) {
    const { read, states, hooks } = open({ 3: { 7: "f" } });
    // Viewer 3 follows ann: from now on the users in both entries are known, and bea's entry for viewers without relations.
    await read("3", "identity");
    // Viewer 1 marks ann's status after its tokens were read.
    hooks.beforeAnswer = (viewer) => viewer === "1" && states.set("1", "1.2");
    const first = await read("1", encoding);
    assert.equal(first.madeFor, ["1.2", "3.1"]);
    hooks.beforeAnswer = () => {};
    const second = await read("2", encoding);
    assert.equal(second.madeFor, ["2.1", "3.1"], encoding);
    assert.is.not(second.etag, first.etag);
  }
});

Lookups("raise the viewer's token to a state that was seen, and are not shared where there were several", async () => {
  const { read, states, hooks, raised } = open({});
  hooks.stateHeader = viewerSeenHeader;
  hooks.beforeAnswer = () => void states.set("1", "1.2");
  assert.equal((await read("1", "identity")).madeFor, ["1.2"]);
  assert.equal(raised, [{ subjectKey: viewerKey("1"), token: "1.2" }]);
  hooks.beforeAnswer = () => {};
  assert.equal((await read("2", "identity")).madeFor, ["2.1"]);
});

Lookups("are shared by viewers with the same relations", async () => {
  const { read } = open({});
  const first = await read("1", "br");
  assert.equal(await read("2", "br"), first);
  assert.equal(first.madeFor, ["1.1"]);
});

Lookups.run();
