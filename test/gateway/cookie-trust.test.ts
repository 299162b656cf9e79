import type http from "node:http";
import * as assert from "uvu/assert";
import { isLong } from "../support/long.ts";
import { suite } from "../support/suite.ts";
import { opensSession, useFakeGateway } from "./fake-gateway.ts";

/** Verbs with which every browser sends Origin, and others. */
const withBody = ["POST", "PUT", "PATCH", "DELETE"];
const withoutBody = ["GET", "HEAD", "OPTIONS", "PROPFIND"];

/** Origin and Sec-Fetch-Site of a request, and whether the cookie counts for reads and for writes by these verbs. */
type Text = string | undefined;
const requestOrigins: [origin: Text, fetchSite: Text, ...counts: [boolean, boolean, boolean]][] = [
  // Origin, Sec-Fetch-Site, read, write with a body, write without.
  [undefined, undefined, true, true, false],
  [undefined, "same-origin", true, true, true],
  [undefined, "same-site", false, false, false],
  [undefined, "cross-site", false, false, false],
  [undefined, "none", true, false, false],
  [undefined, "same-origin, same-origin", false, false, false],
  ["own", undefined, true, true, true],
  ["own", "same-origin", true, true, true],
  ["own", "cross-site", true, true, true],
  ["https://app.example", undefined, true, true, true],
  ["https://app.example", "cross-site", true, true, true],
  ["https://app.example", "same-site", true, true, true],
  ["http://app.example", undefined, false, false, false],
  ["https://app.example.evil", "cross-site", false, false, false],
  ["https://evil.example", undefined, false, false, false],
  ["https://evil.example", "cross-site", false, false, false],
  ["https://evil.example", "same-site", false, false, false],
  ["https://evil.example", "none", false, false, false],
  ["null", undefined, false, false, false],
  ["null", "none", false, false, false],
  ["null", "cross-site", false, false, false],
  ["null", "same-origin", true, true, true],
];

const Cookie = suite("origins from which the session cookie counts");
const gateway = useFakeGateway(Cookie, { corsOrigins: ["https://app.example"], trustProxy: ["127.0.0.1"] });

Cookie.before(async () => {
  gateway.answers.getSession = ({ sessionId }) => (sessionId === "good" ? { userId: 77n } : {});
  gateway.answers.registration = opensSession("made; max-age=60");
});

type Headers = http.OutgoingHttpHeaders;

/** The viewer of the request to the service. */
async function userOf(method: string, path: string, headers: Headers, body?: string): Promise<string | null> {
  gateway.calls.length = 0;
  const reply = await gateway.send({ method, path, headers, ...(body !== undefined && { body }) });
  assert.is(reply.status, 200, `${method} ${path}`);
  return gateway.calls[0]?.header.get("roost-viewer") ?? null;
}

async function isSet(method: string, path: string, headers: Headers, body?: string): Promise<boolean> {
  const { headers: sent } = await gateway.send({ method, path, headers, ...(body !== undefined && { body }) });
  return sent["set-cookie"]?.[0]?.startsWith("ss-id=made") ?? false;
}

for (const [number, [origin, fetchSite, read, withOne, without]] of requestOrigins.entries()) {
  const cookie = { cookie: "ss-id=good" };
  Cookie(`by Origin ${origin ?? "absent"} and Sec-Fetch-Site ${fetchSite ?? "absent"}`, async () => {
    const headers = {
      ...(origin !== undefined && { origin: origin === "own" ? gateway.url : origin }),
      ...(fetchSite !== undefined && { "sec-fetch-site": fetchSite }),
    };
    // Every second verb, the others for the next origin; all verbs in the long form.
    const verbs = [...withBody, ...withoutBody].filter((_, index) => isLong || (index + number) % 2 === 0);
    for (const method of verbs) {
      const counts = withBody.includes(method) ? withOne : without;
      const user = (is: boolean) => (is ? "77" : null);
      const all = { ...headers, ...cookie };
      assert.is(await userOf(method, "/social/ann", all), user(read), `${method} read`);
      assert.is(await userOf(method, "/register", all), user(counts), `${method} write`);
      assert.is(await isSet(method, "/register", headers), counts, `${method} sets`);
      // A bearer token counts from every page, but does not change whether a cookie may be set.
      const bearer = { ...headers, authorization: "Bearer good" };
      assert.is(await userOf(method, "/register", bearer), "77", `${method} with a Bearer`);
      assert.is(await isSet(method, "/register", bearer), counts, `${method} with a Bearer sets`);
    }
  });
}

Cookie("are checked on every route, for a batch by the outer request", async () => {
  const [own, foreign] = [{ "sec-fetch-site": "same-origin" }, { origin: "https://evil.example" }];
  const prefixes = ["/json/reply", "/json/syncreply", "/api", "/json/oneway"];
  const generic = prefixes.flatMap((prefix) => [`${prefix}/Registration`, `${prefix}/Registration[]`]);
  for (const path of ["/register", ...generic]) {
    const body = path.endsWith("[]") ? "[{},{}]" : "{}";
    assert.equal([await isSet("POST", path, own, body), await isSet("POST", path, foreign, body)], [true, false], path);
  }
  assert.is(await isSet("POST", "/register?callback=f", own), false);
});

Cookie("do not matter with a Bearer header, which wins over the cookie", async () => {
  const asked = (authorization: string) =>
    userOf("GET", "/social/ann", { authorization, cookie: "ss-id=good", "sec-fetch-site": "same-origin" });
  for (const bearer of ["Bearer bad", "Bearer", "bearer  ", "Bearer a b", `Bearer ${"x".repeat(600)}`]) {
    assert.is(await asked(bearer), null, bearer);
  }
  for (const other of ["Basic YTpi", "Bearerish good", "good"]) assert.is(await asked(other), "77", other);
});

Cookie("include our own page for a write without a body only where a script of it asks", async () => {
  const ours = { "sec-fetch-site": "same-origin", cookie: "ss-id=good" };
  for (const dest of ["image", "document", "iframe", "script", "style", "font", "empty, empty", ""]) {
    const headers = { ...ours, "sec-fetch-dest": dest };
    for (const method of withoutBody.filter((one) => one !== "OPTIONS")) {
      assert.is(await userOf(method, "/register", headers), null, `${method} ${dest}`);
      assert.not.ok(await isSet(method, "/register", headers), `${method} ${dest} sets`);
    }
    assert.is(await userOf("GET", "/social/ann", headers), "77", `${dest} reads`);
    assert.is(await userOf("POST", "/register", headers), "77", `a form, ${dest}`);
  }
  assert.is(await userOf("GET", "/register", { ...ours, "sec-fetch-dest": "empty" }), "77");
});

Cookie(
  "do not matter when a request has different session cookies, also between quotes, as Java writes them",
  async () => {
    const asked = (cookie: string) => userOf("GET", "/social/ann", { cookie, "sec-fetch-site": "same-origin" });
    const different = ["ss-id=good; ss-id=other", "ss-id=other; a=b;ss-id=good", 'ss-id="good"; ss-id="bad"'];
    const malformed = ["ss-id=good; ss-id=", "ss-id=good; ss-id=b d", 'ss-id="good', 'ss-id=good"', 'ss-id=""'];
    for (const cookie of [...different, ...malformed, "a=ss-id=good"]) assert.is(await asked(cookie), null, cookie);
    const equal = ["ss-id=good; ss-id=good", 'ss-id="good"; ss-id=good', '$Version="1"; ss-id="good";$Path="/"'];
    for (const cookie of [...equal, "xss-id=other; ss-id=good", "ss-id=good; a=ss-id=b"]) {
      assert.is(await asked(cookie), "77", cookie);
    }
  },
);

Cookie("cannot be forged by headers that a page can send", async () => {
  const cookie = "ss-id=good";
  const origin = "https://evil.example";
  const forwarded = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
  const forged = { ...forwarded, forwarded: "host=evil.example;proto=https", "x-host": "evil.example" };
  assert.is(await userOf("POST", "/social/ann", { cookie, origin, ...forged }), null);
  assert.is(await isSet("POST", "/register", { origin, ...forged }), false);
  const { text } = await gateway.send({ path: "/types/typescript", headers: { host: "roost.example", ...forwarded } });
  assert.match(text, "BaseUrl: https://roost.example");
  const ours = { host: "roost.example", origin: "https://roost.example", cookie };
  assert.is(await userOf("POST", "/register", { ...ours, "x-forwarded-proto": "https" }), "77", "as our proxy says");
  assert.is(await userOf("POST", "/register", ours), null);
});

Cookie("are checked with one look-up of the session for a batch, and 5xx when that fails", async () => {
  let asked = 0;
  gateway.answers.getSession = () => ({ userId: BigInt(++asked) });
  const body = JSON.stringify([{ screenNames: ["a"] }, { screenNames: ["b"] }]);
  await userOf("POST", "/json/reply/SocialUsers[]", { authorization: "Bearer x" }, body);
  assert.is(asked, 1);
  gateway.answers.getSession = () => {
    throw new Error("away");
  };
  assert.ok((await gateway.send({ path: "/social/ann", headers: { cookie: "ss-id=good" } })).status >= 500);
});

Cookie.run();
