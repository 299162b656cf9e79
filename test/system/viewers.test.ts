import { randomUUID } from "node:crypto";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { startTestSystem, type TestSystem } from "../support/system.ts";

const Viewers = suite("viewers");
let system: TestSystem;

interface Person {
  id: bigint;
  session: string;
  cookie: string | null;
}
let ann: Person;
let bea: Person;
let signedOut: Person;

Viewers.before(async () => {
  system = await startTestSystem();
  ann = await register("ann", true);
  bea = await register("bea", true);
  signedOut = await register("carl", false);
});
Viewers.after(() => system.stop());

async function register(userName: string, autoLogin: boolean): Promise<Person> {
  const body = JSON.stringify({ userName, password: "correct horse", autoLogin });
  const response = await fetch(`${system.url}/register`, { method: "POST", body });
  const { userId, sessionId } = (await response.json()) as { userId: string; sessionId: string };
  return { id: BigInt(userId), session: sessionId, cookie: response.headers.get("set-cookie") };
}

type Fields = Record<string, unknown>;

async function get(path: string, session?: string): Promise<{ status: number; results: Fields[]; code: unknown }> {
  const response = await fetch(
    `${system.url}${path}`,
    session ? { headers: { authorization: `Bearer ${session}` } } : {},
  );
  const { results = [], responseStatus } = (await response.json()) as { results?: Fields[]; responseStatus?: Fields };
  return { status: response.status, results, code: responseStatus?.errorCode };
}

async function publish(author: Person, text: string) {
  const { status } = await system.clients.statuses.publishStatus({
    requestId: randomUUID(),
    authorId: author.id,
    text,
  });
  return { authorId: author.id, id: status?.id ?? 0n };
}

Viewers("get a cookie with autoLogin only", () => {
  assert.is(ann.cookie, `ss-id=${ann.session}; Max-Age=1209600; Path=/; HttpOnly; SameSite=Lax`);
  assert.is(signedOut.cookie, null);
});

Viewers("are who a signed-in session says, by token and by cookie; a signed-out one is nobody", async () => {
  const flags = ({ following, follow_request_sent, notifications }: Fields = {}) => [
    following,
    follow_request_sent,
    notifications,
  ];
  assert.equal(flags((await get("/social/bea", ann.session)).results[0]), [false, false, false]);
  assert.equal(flags((await get("/social/bea", signedOut.session)).results[0]), [undefined, undefined, undefined]);
  assert.equal(flags((await get("/social/bea", "unknown")).results[0]), [undefined, undefined, undefined]);
  const response = await fetch(`${system.url}/social/bea`, { headers: { cookie: `ss-id=${ann.session}` } });
  assert.equal(flags(((await response.json()) as { results: Fields[] }).results[0]), [false, false, false]);
  assert.is(response.headers.get("cache-control"), "private, no-cache");
});

Viewers("see their own marks, reposts and relations", async () => {
  const status = await publish(bea, "hello");
  await system.clients.statuses.favorite({ userId: ann.id, status });
  await system.clients.statuses.repost({ userId: ann.id, status });
  await system.clients.graph.follow({ followerId: ann.id, userId: bea.id });
  const seen = async (session?: string) => {
    const [first] = (await get("/social/bea/timelines", session)).results;
    const [user] = (await get("/social/bea", session)).results;
    return [first?.favorited, first?.retweeted, first?.retweet_count, user?.following];
  };
  assert.equal(await seen(ann.session), [true, true, "1", true]);
  assert.equal(await seen(bea.session), [false, false, "1", false]);
  assert.equal(await seen(), [false, false, "1", undefined]);
});

Viewers("read a protected timeline when they may: 401 for nobody, 403 for a stranger", async () => {
  await publish(bea, "whispered");
  const protect = { userId: bea.id, profile: { protected: true }, updateMask: { paths: ["protected"] } };
  await system.clients.profiles.updateProfile(protect);
  const stranger = await register("stranger", true);
  const answer = async (session?: string) => {
    const { status, code, results } = await get("/social/bea/timelines", session);
    return [status, code ?? results.length];
  };
  assert.equal(await answer(), [401, "Unauthorized"]);
  assert.equal(await answer(stranger.session), [403, "Forbidden"]);
  assert.equal(await answer(bea.session), [200, 2]);
  assert.equal(await answer(ann.session), [200, 2]);
  assert.is((await get("/social/bea", stranger.session)).results[0]?.status, undefined);
  assert.is(((await get("/social/bea", ann.session)).results[0]?.status as Fields | undefined)?.text, "whispered");
});

Viewers("are nobody once the session has expired", async () => {
  await system.database.query("update account.session set expires_at = now() - interval '1 second'");
  assert.is((await get("/social/ann", ann.session)).results[0]?.following, undefined);
});

Viewers.run();
