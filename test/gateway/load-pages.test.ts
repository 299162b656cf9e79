// Loading pages with a fake service.

import { setTimeout as sleep } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { createCacheCounts } from "../../gateway/cache/cache-metrics.ts";
import { createCachedOperations } from "../../gateway/cache/cached-operations.ts";
import type { AnonymousRead } from "../../gateway/cache/reads/cached-read.ts";
import { loadConfig } from "../../gateway/config.ts";
import { deadlineAfter } from "../../gateway/http/limits/deadline.ts";
import { compileOperations } from "../../gateway/operations/operation-table.ts";
import { SocialService, SocialTimelinesRequestSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { invalid, signInFirst, unavailable } from "../../services/platform/errors.ts";
import { createLog } from "../../services/platform/log.ts";
import { createRegistry } from "../../services/platform/metrics/registry.ts";
import { suite } from "../support/suite.ts";

const Loader = suite("loading of several pages at the same time");

/** A loader, and the requests to its service. */
function open() {
  const asked: string[] = [];
  const state = { isUnavailable: false, isShort: false, refused: undefined as string | undefined };
  /** Lists that are being answered, and the most of them at once. */
  const lists = { now: 0, most: 0 };
  const transport = createRouterTransport(({ service }) =>
    service(SocialService, { socialUsers: () => ({}), socialTimelines, listTimelines }),
  );

  function socialTimelines({ screenName }: { screenName: string }) {
    asked.push(screenName);
    if (screenName === "unknown") throw new ConnectError("There is no user of that name.", Code.NotFound);
    if (screenName === "shy") throw signInFirst();
    return { freshness: `state-of-${screenName}` };
  }
  async function listTimelines({ requests }: { requests: { screenName: string }[] }) {
    asked.push(requests.map(({ screenName }) => screenName).join(" "));
    lists.most = Math.max(lists.most, ++lists.now);
    await sleep(1);
    lists.now--;
    if (state.isUnavailable) throw unavailable("away");
    if (requests.length > 100) throw invalid("requests", "Length", "Too many.");
    if (requests.some(({ screenName }) => screenName === state.refused)) throw invalid("requests", "Bad", "Bad.");
    const results = requests.map(({ screenName }) =>
      ["unknown", "shy"].includes(screenName) ? {} : { timeline: { freshness: `state-of-${screenName}` } },
    );
    return { results: state.isShort ? results.slice(1) : results };
  }
  const operations = compileOperations([{ service: SocialService, transport }]);
  const config = { ...loadConfig({}), pageCacheBytes: 0 };
  const refuse = () => Promise.reject(new Error("no token is needed"));
  const freshness = { listTokens: refuse, listRelationDigests: refuse };
  const services = { freshness, sessions: {} as never };
  const counts = createCacheCounts(createRegistry());
  const cached = createCachedOperations(config, createLog("test", "silent"), services, operations, counts);
  const read = cached.reads.get("SocialTimelines")?.anonymous as AnonymousRead;
  const load = async (screenName: string, take?: number) => {
    const request = { screenName, ...(take !== undefined && { take: BigInt(take) }) };
    try {
      const page = await read(create(SocialTimelinesRequestSchema, request)).load("identity", deadlineAfter(60_000));
      return page.state;
    } catch (error) {
      return Code[(error as ConnectError).code];
    }
  };
  return { load, asked, state, lists };
}

Loader("requests one page by itself, and several in one list, each once", async () => {
  const { load, asked } = open();
  assert.is(await load("ann", 20), "state-of-ann");
  const states = await Promise.all([load("ANN", 20), load("bea", 20), load("ann", 20), load("ann", 10)]);
  assert.equal(new Set(states), new Set(["state-of-ANN", "state-of-bea", "state-of-ann"]));
  assert.equal(asked, ["ann", "ANN bea ann"]);
});

Loader("requests a page that is missing in the list by itself, so that only its caller gets the error", async () => {
  const { load, asked } = open();
  assert.equal(await Promise.all([load("ann"), load("unknown"), load("bea")]), [
    "state-of-ann",
    "NotFound",
    "state-of-bea",
  ]);
  assert.equal(asked, ["ann unknown bea", "unknown"]);
});

Loader("fails for all callers of a failed list, and requests later pages again", async () => {
  const { load, state } = open();
  state.isUnavailable = true;
  assert.equal(await Promise.all([load("ann"), load("bea")]), ["Unavailable", "Unavailable"]);
  state.isUnavailable = false;
  assert.equal(await Promise.all([load("ann"), load("bea")]), ["state-of-ann", "state-of-bea"]);
});

Loader("requests at most 400 statuses in one list, and pages of invalid names by themselves", async () => {
  const { load, asked } = open();
  await Promise.all([
    load("a", 200),
    load("b", 200),
    load("c", 1_000),
    load("d"),
    load("e"),
    load("\u212a", 20),
    load("k", 20),
  ]);
  // The Kelvin sign becomes k in lower case, but is invalid in a screen name.
  assert.equal(new Set(asked), new Set(["\u212a", "a b", "c d e", "k"]));
});

Loader("has at most the pages of 12 lists in memory, however many are requested", async () => {
  const { load, asked, lists } = open();
  const names = Array.from({ length: 100 }, (_, index) => `user${index}`);
  assert.equal(
    await Promise.all(names.map((name) => load(name, 200))),
    names.map((name) => `state-of-${name}`),
  );
  assert.is(asked.length, 50);
  assert.ok(lists.most > 1 && lists.most <= 12, `${lists.most} lists at once`);
});

Loader("fails without another request when the failed list had one page", async () => {
  const { load, asked } = open();
  const names = ["ann", "bea", "cid", "dan", "shy"];
  assert.equal(await Promise.all(names.map((name) => load(name, 100))), [
    ...names.slice(0, 4).map((name) => `state-of-${name}`),
    "Unauthenticated",
  ]);
  assert.equal(asked, ["ann bea cid dan", "shy"]);
});

Loader("ignores a list of another length than requested, and requests each page by itself", async () => {
  const { load, asked, state } = open();
  state.isShort = true;
  assert.equal(await Promise.all([load("ann"), load("bea")]), ["state-of-ann", "state-of-bea"]);
  assert.equal(asked, ["ann bea", "ann", "bea"]);
});

Loader("sends lists no longer than the service accepts", async () => {
  const { load, asked } = open();
  const names = Array.from({ length: 150 }, (_, index) => `user${index}`);
  assert.equal(
    await Promise.all(names.map((name) => load(name, 1))),
    names.map((name) => `state-of-${name}`),
  );
  assert.equal(
    asked.map((list) => list.split(" ").length),
    [100, 50],
  );
});

Loader("splits a refused list, so that only the invalid request fails", async () => {
  const { load, asked, state } = open();
  state.refused = "user7";
  const names = Array.from({ length: 20 }, (_, index) => `user${index}`);
  assert.equal(
    await Promise.all(names.map((name) => load(name, 1))),
    names.map((name) => `state-of-${name}`),
  );
  assert.ok(asked.includes("user7") && asked.length < names.length, `${asked.length} calls`);
});

Loader.run();
