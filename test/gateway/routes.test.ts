import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import * as assert from "uvu/assert";
import { isAllowedForNewUser, isScreenName } from "../../services/platform/rules/screen-name.ts";
import { suite } from "../support/suite.ts";
import { startFakeGateway, useFakeGateway } from "./fake-gateway.ts";
import { exchangeRaw, statusesOf } from "./raw-socket.ts";

const Routes = suite("gateway routes");

/** The paths of all routes. */
const routes: string[] = [];
const listRoutes = (message: unknown) => {
  (message as { fastify: FastifyInstance }).fastify.addHook("onRoute", ({ url }) => void routes.push(url));
};

Routes.before(() => subscribe("fastify.initialization", listRoutes));
const gateway = useFakeGateway(Routes);
Routes.before(() => void unsubscribe("fastify.initialization", listRoutes));

type Row = [path: string, operation: string, request: Record<string, unknown>];
const users = (userIds: bigint[], screenNames: string[]) => ({ userIds, screenNames });
const ids = Array.from({ length: 1_000 }, (_, index) => 9007199254740991n - BigInt(index));
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
  [`/social/ids/${ids.join(",")}`, "SocialUsers", users(ids, [])],
  ["/social/requests", "SocialUsers", users([], ["requests"])],
  // Their length changes with their case.
  ...["İ", "aİb", "ẞ", "ŉ"].map((screenName): Row => {
    return [`/social/${encodeURIComponent(screenName)}/timelines`, "SocialTimelines", { screenName }];
  }),
];
for (const [path, operation, request] of paths) {
  Routes(`reads ${path.slice(0, 60)}`, async () => {
    // A header by which Fastify can choose a route.
    const reply = await gateway.send({ path, headers: { "accept-version": "1.0.0" } });
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

Routes("set no cookie when a later item of a batch fails, and one when several sign in", async () => {
  const path = "/json/reply/Registration[]";
  const batch = (...names: string[]) =>
    gateway.send({ method: "POST", path, body: JSON.stringify(names.map((userName) => ({ userName }))) });
  gateway.answers.registration = ({ userName }, { responseHeader }) => {
    if (userName === "bad") throw new Error("no");
    if (userName !== "cay") responseHeader.set("roost-session", `session-of-${userName}; max-age=60`);
    return { userName, responseStatus: {} };
  };
  const failed = await batch("ann", "bad");
  assert.equal([failed.status, failed.headers["set-cookie"]], [500, undefined]);
  const passed = await batch("ann", "bea", "cay");
  assert.equal([passed.status, passed.headers["set-cookie"]?.length], [200, 1]);
  assert.match(passed.headers["set-cookie"]?.[0] ?? "", "ss-id=session-of-bea");
});

Routes("read every header line, also after 5,000 others", async () => {
  const many = "a:\r\n".repeat(5_000);
  const body = '{"screenName":"ann"}';
  const head = `POST /json/reply/SocialTimelines HTTP/1.1\r\nHost: x\r\n${many}`;
  const [read] = await exchangeRaw(
    gateway.port,
    `${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  assert.equal([read?.status, gateway.asked("screenName")], [200, ["ann"]]);
  const [refused] = await exchangeRaw(gateway.port, `${head}Content-Length: 3000000\r\n\r\n`);
  assert.is(refused?.status, 413);
});

Routes("answer 414 to a long URL that follows another request", async () => {
  const first = "GET /social/a HTTP/1.1\r\nHost: x\r\n\r\n";
  const replies = await exchangeRaw(gateway.port, `${first}GET /${"a".repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
  assert.equal(statusesOf(replies), [200, 414]);
});

Routes(
  "are those of the interface document alone, served and described, with PUBLIC_OPERATIONS=interface",
  async () => {
    const small = await startFakeGateway({ publicOperations: "interface" });
    for (const path of ["/auth", "/auth/sessions", "/timelines/publish", "/profile/delete", "/social/ann/follow"]) {
      assert.is((await small.send({ method: "POST", path })).status, 404, path);
    }
    for (const name of ["Authenticate", "PublishStatus", "SocialFollowers[]"]) {
      assert.is((await small.send({ method: "POST", path: `/json/reply/${name}`, body: "[]" })).status, 405, name);
    }
    // Lookups, as in the interface document.
    for (const path of ["/social/requests", "/social/search", "/social/search/timelines"]) {
      assert.is((await small.send({ path })).status, 200, path);
    }
    for (const path of ["/openapi.json", "/metadata", "/types/typescript", "/docs"]) {
      const { status, text } = await small.send({ path });
      assert.is(status, 200, path);
      assert.not.match(text, /PublishStatus|Authenticate/, path);
    }
    await small.stop();
  },
);

Routes.run();
