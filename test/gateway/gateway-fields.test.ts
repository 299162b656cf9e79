import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { invalidFields, unavailable } from "../../services/platform/errors.ts";
import { suite } from "../support/suite.ts";
import { type Asked, type Reply, useFakeGateway } from "./fake-gateway.ts";

const Filled = suite("operations with an actor at the gateway");
const gateway = useFakeGateway(Filled);

Filled.before(async () => {
  gateway.answers.getSession = ({ sessionId }) => (sessionId === "good" ? { userId: 77n } : {});
});
Filled.before.each(() => {
  gateway.calls.length = 0;
  gateway.answers.people = {};
});

const bearer = { authorization: "Bearer good" };

async function post(path: string, body: unknown, headers: Asked["headers"] = bearer): Promise<Reply> {
  return gateway.send({ method: "POST", path, headers: { ...headers }, body: JSON.stringify(body) });
}

/** The only request to the services. */
function asked(): Record<string, unknown> {
  assert.is(gateway.calls.length, 1);
  return gateway.calls[0]?.request as Record<string, unknown>;
}

/** The status and code of an error, and the field of each entry. */
function codes({ status, text }: Reply): (string | number)[] {
  const { responseStatus } = JSON.parse(text) as {
    responseStatus: { errorCode: string; errors?: { fieldName: string }[] };
  };
  return [status, responseStatus.errorCode, ...(responseStatus.errors ?? []).map(({ fieldName }) => fieldName)];
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

Filled("tell the service which session counts, and whether it was presented by cookie", async () => {
  const facts = async (headers: Asked["headers"], method = "POST") => {
    gateway.calls.length = 0;
    await gateway.send({ method, path: "/auth/logout", headers: { ...headers } });
    return [asked().sessionId, asked().sessionCookie, asked().foreignCookie];
  };
  assert.equal(await facts({}), ["", false, false]);
  assert.equal(await facts({ authorization: "Bearer any" }), ["any", false, false]);
  assert.equal(await facts({ cookie: "ss-id=any" }), ["any", true, false]);
  assert.equal(await facts({ cookie: "ss-id=any", authorization: "Bearer other" }), ["other", false, false]);
  assert.equal(await facts({ cookie: "ss-id=any", origin: "https://evil.example" }), ["", false, true]);
  assert.equal(await facts({ cookie: "ss-id=any" }, "GET"), ["", false, true]);
  assert.equal(await facts({ cookie: "ss-id=any", "sec-fetch-site": "same-origin" }, "GET"), ["any", true, false]);
});

Filled("check the types of fields first, then the session, then the rules", async () => {
  const unreadable = { text: " ", latitude: "north", longitude: [], inReplyToStatusId: "-1", mediaUrls: [{}] };
  const bad = { text: " ", lang: "!!", latitude: 91, mediaUrls: Array(5).fill("x"), requestId: "1" };
  for (const headers of [{}, bearer]) {
    const fields = ["inReplyToStatusId", "latitude", "longitude", "mediaUrls"];
    assert.equal(codes(await post("/timelines/publish", unreadable, headers)), [
      400,
      "SerializationException",
      ...fields,
    ]);
  }
  assert.equal(codes(await post("/timelines/publish", bad, {})), [401, "Unauthorized"]);
  assert.is(gateway.calls.length, 0);
  // The rules are checked by the service, which knows more of them.
  gateway.answers.people.publishStatus = () => {
    throw invalidFields([{ fieldName: "text", errorCode: "Length", message: "long" }]);
  };
  assert.equal(codes(await post("/timelines/publish", bad)), [400, "Length", "text"]);
  assert.equal(codes(await post("/social/requests/followers", { take: 0 }, {})), [401, "Unauthorized"]);
  gateway.answers.people.followRequests = () => {
    throw unavailable();
  };
  assert.equal(codes(await post("/social/requests/followers", { take: 0 })), [400, "InclusiveBetween", "take"]);
});

Filled("refuse an Idempotency-Key for a batch of writes, whose items may have request ids", async () => {
  const batch = "/json/reply/FollowUser[]";
  const items = [{ screenName: "a", requestId: randomUUID() }, { screenName: "b" }];
  const keyed = await post(batch, items, { ...bearer, "idempotency-key": randomUUID() });
  assert.equal(codes(keyed), [400, "SerializationException"]);
  assert.is(gateway.calls.length, 0);
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
    gateway.calls.length = 0;
    await gateway.send({ ...one, method: "POST", headers: { ...bearer, ...one.headers } });
    assert.equal([asked().url, asked().location, asked().protected], ["", undefined, undefined], JSON.stringify(one));
  }
  gateway.calls.length = 0;
  await post("/profile?url", { location: "Harbour" });
  assert.equal([asked().url, asked().location], [undefined, "Harbour"], "a bare key is no value");
  gateway.calls.length = 0;
  await post("/profile?url=https://a.example&location=", { url: "", location: "Harbour" });
  const filled = "an empty value never overrides a filled one, from whichever source";
  assert.equal([asked().url, asked().location], ["https://a.example", "Harbour"], filled);
  gateway.calls.length = 0;
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
      const { headers } = await gateway.send({ method, path, headers: { ...bearer } });
      assert.equal([headers["cache-control"], headers.etag], ["no-store", undefined], `${method} ${path}`);
    }
    const { headers } = await gateway.send({ method, path: "/profile/blocks", headers: { ...bearer } });
    assert.is(headers["cache-control"], "private, no-cache", method);
    assert.ok(headers.etag);
  }
});

Filled.run();
