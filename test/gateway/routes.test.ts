import http from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { unavailable } from "../../services/platform/errors.ts";
import { type Asked, type FakeGateway, startFakeGateway } from "./fake-gateway.ts";

const Routes = suite("gateway routes");

let gateway: FakeGateway;
Routes.before(async () => {
  gateway = await startFakeGateway();
});
Routes.before.each(() => {
  gateway.calls.length = 0;
});
Routes.after(() => gateway.stop());

const verbs = http.METHODS.filter((method) => method !== "CONNECT");
const json = JSON.stringify({ userName: "ann", userIds: [5], take: 5, screenName: "ann" });

for (const method of verbs) {
  Routes(`serves every operation on ${method}, with what its body says`, async () => {
    for (const path of [
      "/register",
      "/social/ids/7",
      "/social/bob",
      "/social/bob/timelines",
      "/json/reply/SocialUsers",
    ]) {
      const reply = await gateway.send({ method, path, body: json });
      assert.is(reply.status, 200, `${path}: ${reply.text}`);
      assert.is(reply.headers["content-type"], "application/json");
      assert.is(reply.text === "", method === "HEAD");
      assert.ok(Number(reply.headers["content-length"]) > 0);
    }
    assert.equal(
      gateway.calls.map(({ operation, request }) => [operation, request]),
      [
        ["Registration", { ...emptyForm, userName: "ann" }],
        ["SocialUsers", { userIds: [7n], screenNames: [] }],
        ["SocialUsers", { userIds: [5n], screenNames: ["bob"] }],
        ["SocialTimelines", { screenName: "bob", take: 5n }],
        ["SocialUsers", { userIds: [5n], screenNames: [] }],
      ],
    );
  });
}

const emptyForm = {
  userName: "",
  firstName: "",
  lastName: "",
  displayName: "",
  email: "",
  password: "",
  autoLogin: false,
  continue: "",
};

type Row = [path: string, operation: string, request: Record<string, unknown>];
const users = (userIds: bigint[], screenNames: string[]) => ({ userIds, screenNames });
const paths: Row[] = [
  ["/REGISTER", "Registration", emptyForm],
  ["/register/", "Registration", emptyForm],
  ["/register?username=ann&AUTOLOGIN=1", "Registration", { ...emptyForm, userName: "ann", autoLogin: true }],
  // Users are asked for by the key of their name, so that lookups can share them.
  ["/social/Ann", "SocialUsers", users([], ["ann"])],
  ["/SOCIAL/Ann/", "SocialUsers", users([], ["ann"])],
  ["/%73ocial/a%2Cb", "SocialUsers", users([], ["a", "b"])],
  ["/social/a%252Cb", "SocialUsers", users([], ["a%2Cb"])],
  ["/social/a%2Fb", "SocialUsers", users([], ["a/b"])],
  ["/social/a+b%20c", "SocialUsers", users([], ["a+b c"])],
  ["/social/%C3%89%F0%9F%90%A6", "SocialUsers", users([], ["É\u{1F426}"])],
  ["/social/%22a%2Cb%22,[c", "SocialUsers", users([], ["a,b", "[c"])],
  ["/social/%5Ba,b%5D", "SocialUsers", users([], ["a", "b"])],
  ["/social/ids/1,2,%203", "SocialUsers", users([1n, 2n, 3n], [])],
  ["/Social/IDS/1", "SocialUsers", users([1n], [])],
  ["/social/ids", "SocialUsers", users([], ["ids"])],
  ["/social/ids?userIds=3", "SocialUsers", users([3n], ["ids"])],
  ["/social/timelines", "SocialUsers", users([], ["timelines"])],
  ["/social/Ann/TimeLines", "SocialTimelines", { screenName: "Ann" }],
  ["/social/a,b/timelines", "SocialTimelines", { screenName: "a,b" }],
  [
    "/social/a/timelines?take=3&sinceId=1&maxId=9",
    "SocialTimelines",
    { screenName: "a", take: 3n, sinceId: 1n, maxId: 9n },
  ],
  ["/social/a/timelines?format=xml&take=&unknown=%00", "SocialTimelines", { screenName: "a" }],
  ["/social/a/timelines?screenName=b", "SocialTimelines", { screenName: "b" }],
  ["/social/a/timelines?screenName=", "SocialTimelines", { screenName: "a" }],
  ["/json/reply/socialtimelines?screenname=a", "SocialTimelines", { screenName: "a" }],
  ["/json/syncreply/SocialTimelines?screenName=a", "SocialTimelines", { screenName: "a" }],
  ["/api/SocialTimelines/?screenName=a", "SocialTimelines", { screenName: "a" }],
  ["/JSON/%52eply/Social%54imelines?screenName=a", "SocialTimelines", { screenName: "a" }],
  ["http://other.example/social/a/timelines?take=1", "SocialTimelines", { screenName: "a", take: 1n }],
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

Routes("takes the names of ServiceStack's version header for nothing", async () => {
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

Routes("takes /social/ids/timelines for a lookup by id", async () => {
  const reply = await gateway.send({ path: "/social/ids/timelines" });
  assert.is(reply.status, 400);
  assert.match(reply.text, '"fieldName":"userIds"');
});

const nowhere = [
  "/nope",
  "/social",
  "/social/",
  "/social//",
  "/social//timelines",
  "//social/a",
  "/social/a//",
  "/social/ids//",
  "/social/ids/1/2",
  "/social/a//timelines",
  "/social%2Fa",
  "/register//",
  "/register/x",
  "/json/reply",
  "/json/reply/",
  "/json/reply//",
  "/json/nope/SocialUsers",
  "/api",
];
for (const path of nowhere) {
  Routes(`finds nothing at ${path}`, async () => {
    for (const method of ["GET", "POST", "PROPFIND"]) {
      const reply = await gateway.send({ method, path });
      assert.is(reply.status, 404);
      assert.is(reply.text, '{"responseStatus":{"errorCode":"NotFound","message":"There is nothing at this path."}}');
      assert.is(reply.headers["cache-control"], "no-store");
    }
    assert.equal(gateway.calls, []);
  });
}

for (const path of [
  "/json/reply/Nope",
  "/api/Nope",
  "/json/reply/ClaimAccounts",
  "/json/reply/__proto__",
  "/json/reply/Nope[]",
]) {
  Routes(`knows no operation at ${path}`, async () => {
    const reply = await gateway.send({ method: "POST", path, body: "not even JSON" });
    assert.is(reply.status, 405);
    assert.match(reply.text, '"errorCode":"NotImplementedException"');
  });
}

for (const path of [
  "/social/%",
  "/social/%zz",
  "/social/%ff",
  "/social/%ED%A0%80",
  "/nope/%c3%28",
  "/social/a?x=%",
  "/social/a?%ff",
]) {
  Routes(`refuses the percent-encoding of ${path}`, async () => {
    const reply = await gateway.send({ path });
    assert.is(reply.status, 400);
    assert.match(reply.text, '"errorCode":"SerializationException"');
    assert.is(reply.headers["x-content-type-options"], "nosniff");
    assert.equal(gateway.calls, []);
  });
}

Routes("refuses a NUL in a path, naming the field", async () => {
  const reply = await gateway.send({ path: "/social/a%00/timelines" });
  assert.is(reply.status, 400);
  assert.match(reply.text, '"fieldName":"screenName"');
});

Routes("says whether its replies may be cached", async () => {
  const kept = async (asked: Asked) => (await gateway.send(asked)).headers["cache-control"];
  assert.is(await kept({ path: "/social/a" }), "no-cache");
  assert.is(await kept({ path: "/social/a/timelines", method: "POST" }), "no-cache");
  assert.is(await kept({ path: "/register" }), "no-store");
  assert.is(await kept({ path: "/social/ids/x" }), "no-store");
});

Routes("asks its service once for a target that was served before, also when that fails", async () => {
  const path = "/social/ann/timelines?take=3";
  const ask = async () => (await gateway.send({ path })).status;
  assert.equal([await ask(), await ask(), gateway.calls.length], [200, 200, 2]);
  gateway.answers.socialTimelines = () => Promise.reject(unavailable());
  assert.equal([await ask(), gateway.calls.length], [503, 3]);
  gateway.answers.socialTimelines = () => ({ results: [] });
});

Routes.run();
