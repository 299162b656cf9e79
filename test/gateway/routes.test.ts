import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import * as assert from "uvu/assert";
import { unavailable } from "../../services/platform/errors.ts";
import { isAllowedForNewUser, isScreenName } from "../../services/platform/rules/screen-name.ts";
import { suite } from "../support/suite.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";

const Routes = suite("gateway routes");

let gateway: FakeGateway;
/** The paths of all routes. */
const routes: string[] = [];
const listRoutes = (message: unknown) => {
  (message as { fastify: FastifyInstance }).fastify.addHook("onRoute", ({ url }) => void routes.push(url));
};

Routes.before(async () => {
  subscribe("fastify.initialization", listRoutes);
  gateway = await startFakeGateway();
  unsubscribe("fastify.initialization", listRoutes);
});
Routes.before.each(() => {
  gateway.calls.length = 0;
});
Routes.after(() => gateway.stop());

type Row = [path: string, operation: string, request: Record<string, unknown>];
const users = (userIds: bigint[], screenNames: string[]) => ({ userIds, screenNames });
/** The requests to the service, which test/contract/cases cannot see. */
const paths: Row[] = [
  // Users are requested by name key, so that lookups can share them.
  ["/social/Ann", "SocialUsers", users([], ["ann"])],
  ["/social/a%2Fb", "SocialUsers", users([], ["a/b"])],
  ["/social/%C3%89%F0%9F%90%A6", "SocialUsers", users([], ["É\u{1F426}"])],
  ["/social/%22a%2Cb%22,[c", "SocialUsers", users([], ["a,b", "[c"])],
  ["/social/ids?userIds=3", "SocialUsers", users([3n], ["ids"])],
  ["/social/a,b/timelines", "SocialTimelines", { screenName: "a,b" }],
  ["/social/a/timelines?format=xml&take=&unknown=%00", "SocialTimelines", { screenName: "a" }],
];
for (const [path, operation, request] of paths) {
  Routes(`reads ${path}`, async () => {
    const reply = await gateway.send({ path });
    assert.is(reply.status, 200, reply.text);
    assert.equal(
      gateway.calls.map((call) => [call.operation, call.request]),
      [[operation, request]],
    );
  });
}

Routes("begin with names that no new user may have", () => {
  const segments = [...new Set(routes.map((url) => url.split("/")[1] ?? ""))].filter(isScreenName);
  for (const known of ["social", "json", "docs", "openapi.json", "page", "join", "livez"]) {
    assert.ok(segments.includes(known), known);
  }
  assert.equal(segments.filter(isAllowedForNewUser), []);
});

Routes("ignores Accept-Version and Accept", async () => {
  const reply = await gateway.send({ path: "/social/a", headers: { "accept-version": "1.0.0", accept: "text/xml" } });
  assert.is(reply.status, 200);
  assert.is(reply.headers["content-type"], "application/json");
});

Routes("serves 100 names of 36 characters and 1,000 ids in a path", async () => {
  const names = Array.from({ length: 100 }, (_, index) => `${index}`.padStart(36, "n"));
  const ids = Array.from({ length: 1_000 }, (_, index) => 9007199254740991n - BigInt(index));
  await gateway.send({ path: `/social/${names.join("%2C")}` });
  await gateway.send({ path: `/social/ids/${ids.join(",")}` });
  assert.equal(
    gateway.calls.map((call) => call.request),
    [users([], names), users(ids, [])],
  );
});

Routes("calls its service once for a target that was served before, also when that fails", async () => {
  const path = "/social/ann/timelines?take=3";
  const ask = async () => (await gateway.send({ path })).status;
  assert.equal([await ask(), await ask(), gateway.calls.length], [200, 200, 2]);
  gateway.answers.socialTimelines = () => Promise.reject(unavailable());
  assert.equal([await ask(), gateway.calls.length], [503, 3]);
  gateway.answers.socialTimelines = () => ({ results: [] });
});

Routes.run();
