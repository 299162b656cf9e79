import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { type Asked, type Reply, useFakeGateway } from "./fake-gateway.ts";

const Filled = suite("operations with an actor at the gateway");
const gateway = useFakeGateway(Filled);

Filled.before(async () => {
  gateway.answers.getSession = ({ sessionId }) => (sessionId === "good" ? { userId: 77n } : {});
});
Filled.before.each(() => {
  gateway.answers.people = {};
});

const bearer = { authorization: "Bearer good" };

async function post(path: string, body: unknown, headers: Asked["headers"] = bearer): Promise<Reply> {
  return gateway.send({ method: "POST", path, headers, body: JSON.stringify(body) });
}

/** The only request to the services. */
function asked(): Record<string, unknown> {
  assert.is(gateway.calls.length, 1);
  return gateway.calls[0]?.request as Record<string, unknown>;
}

Filled("have the name of the other user only, since ids are for internal callers", async () => {
  const forged = { subjectId: "6", SubjectId: 7, subject_id: 8 };
  const path = "/json/reply/FollowUser?subjectId=5&subject_id=5";
  assert.is((await post(path, { screenName: "bea", ...forged })).status, 200);
  assert.equal([asked().screenName, asked().subjectId], ["bea", undefined]);
});

Filled("never read the fields that the gateway fills from a request", async () => {
  const forged = { sessionId: "stolen", sessionCookie: true, foreignCookie: true, session_id: "stolen" };
  await post("/auth?sessionId=stolen&foreignCookie=true", { provider: "logout", ...forged });
  assert.equal(
    [asked().sessionId, asked().sessionCookie, asked().foreignCookie, asked().provider],
    ["good", false, false, "logout"],
  );
});

Filled("refuse an Idempotency-Key for a batch of writes, whose items may have request ids", async () => {
  const batch = "/json/reply/FollowUser[]";
  const items = [{ screenName: "a", requestId: randomUUID() }, { screenName: "b" }];
  const keyed = await post(batch, items, { ...bearer, "idempotency-key": randomUUID() });
  assert.is(keyed.status, 400);
  assert.match(keyed.text, '"errorCode":"SerializationException"');
  assert.equal(gateway.calls, []);
  // An empty one counts as absent.
  assert.is((await post(batch, items, { ...bearer, "idempotency-key": "" })).status, 200);
  assert.is(gateway.calls[0]?.request.requestId, items[0]?.requestId);
  assert.match(`${gateway.calls[1]?.request.requestId}`, /^[0-9a-f]{8}-/);
  // Operations without a request id ignore the header.
  const reads = await post("/json/reply/SocialUsers[]", [{}], { "idempotency-key": "x" });
  assert.is(reads.status, 200);
});

Filled("distinguish a cleared field from a missing one, in every form of a request", async () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const parts = '--b\r\ncontent-disposition: form-data; name="url"\r\n\r\n\r\n--b--\r\n';
  const cleared: Asked[] = [
    { path: "/profile", body: '{"url":""}' },
    { path: "/profile", body: '{"URL":"  ","location":null}' },
    { path: "/profile?url=" },
    { path: "/profile", headers: form, body: "url=" },
    { path: "/profile", headers: { "content-type": "multipart/form-data; boundary=b" }, body: parts },
  ];
  for (const one of cleared) {
    await gateway.send({ ...one, method: "POST", headers: { ...bearer, ...one.headers } });
    const { url, location, protected: isProtected } = gateway.calls.pop()?.request ?? {};
    assert.equal([url, location, isProtected], ["", undefined, undefined], JSON.stringify(one));
  }
  await post("/profile?url", { location: "Harbour" });
  const bare = gateway.calls.pop()?.request;
  assert.equal([bare?.url, bare?.location], [undefined, "Harbour"], "a bare key is no value");
  await post("/profile?url=https://a.example&location=", { url: "", location: "Harbour" });
  const filled = gateway.calls.pop()?.request;
  const rule = "an empty value never overrides a filled one, from whichever source";
  assert.equal([filled?.url, filled?.location], ["https://a.example", "Harbour"], rule);
  await post("/profile", { profile_background_tile: "", if_version: 3, ifVersion: "", PROTECTED: "1" });
  assert.equal([asked().profileBackgroundTile, asked().ifVersion, asked().protected], [undefined, undefined, true]);
});

Filled("send the version only as a header, which other origins may read", async () => {
  gateway.answers.people.updateProfile = () => ({ results: [], version: 9007199254740991n });
  const reply = await post("/profile", {}, { ...bearer, origin: "https://other.example" });
  assert.is(reply.text, '{"results":[]}');
  assert.is(reply.headers["x-version"], "9007199254740991");
  assert.is(reply.headers["access-control-expose-headers"], "ETag, Retry-After, X-AutoBatch-Completed, X-Version");
  const other = await post("/social/ann/follow", {});
  assert.is(other.headers["access-control-expose-headers"], "ETag, Retry-After, X-AutoBatch-Completed");
});

Filled("answer writes and lists of sessions with no-store, on any verb", async () => {
  for (const method of ["GET", "HEAD", "POST", "PROPFIND"]) {
    for (const path of ["/auth", "/auth/sessions", "/profile", "/social/ann/follow", "/auth/sessions?callback=f"]) {
      const { headers } = await gateway.send({ method, path, headers: bearer });
      assert.equal([headers["cache-control"], headers.etag], ["no-store", undefined], `${method} ${path}`);
    }
  }
});

Filled.run();
