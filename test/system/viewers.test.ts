import * as assert from "uvu/assert";
import { publish } from "../support/people.ts";
import { useSharedSystem } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import type { TestSystem } from "../support/system.ts";
import { askAs, signUp, type Visitor } from "../support/visitors.ts";

const Viewers = suite("viewers");
let system: TestSystem;

let ann: Visitor;
let bea: Visitor;
let signedOut: Visitor;

useSharedSystem(Viewers, (shared) => (system = shared));
Viewers.before(async () => {
  ann = await signUp(system, "viewer_ann");
  bea = await signUp(system, "viewer_bea");
  signedOut = await signUp(system, "viewer_carl", { autoLogin: false });
});

type Fields = Record<string, unknown>;

const get = (path: string, session?: string) => askAs(system, path, session);

Viewers("get a cookie only with autoLogin", () => {
  assert.is(ann.cookie, `ss-id=${ann.session}; Max-Age=1209600; Path=/; HttpOnly; SameSite=Lax`);
  assert.is(signedOut.cookie, null);
});

Viewers("are the users of signed-in sessions by token and by cookie; another session is anonymous", async () => {
  const flags = ({ following, follow_request_sent, notifications }: Fields = {}) => [
    following,
    follow_request_sent,
    notifications,
  ];
  assert.equal(flags((await get("/social/viewer_bea", ann.session)).results[0]), [false, false, false]);
  assert.equal(flags((await get("/social/viewer_bea", signedOut.session)).results[0]), [
    undefined,
    undefined,
    undefined,
  ]);
  assert.equal(flags((await get("/social/viewer_bea", "unknown")).results[0]), [undefined, undefined, undefined]);
  const response = await fetch(`${system.url}/social/viewer_bea`, { headers: { cookie: `ss-id=${ann.session}` } });
  assert.equal(flags(((await response.json()) as { results: Fields[] }).results[0]), [false, false, false]);
  assert.is(response.headers.get("cache-control"), "private, no-cache");
});

Viewers("see their own marks, reposts and relations", async () => {
  const status = await publish(system, bea, "hello");
  await system.clients.statuses.favorite({ userId: ann.id, status });
  await system.clients.statuses.repost({ userId: ann.id, status });
  await system.clients.graph.follow({ followerId: ann.id, userId: bea.id });
  const seen = async (session?: string) => {
    const [first] = (await get("/social/viewer_bea/timelines", session)).results;
    const [user] = (await get("/social/viewer_bea", session)).results;
    return [first?.favorited, first?.retweeted, first?.retweet_count, user?.following];
  };
  assert.equal(await seen(ann.session), [true, true, "1", true]);
  assert.equal(await seen(bea.session), [false, false, "1", false]);
  assert.equal(await seen(), [false, false, "1", undefined]);
});

Viewers("are anonymous after the session has expired", async () => {
  await system.database.query(
    "update account.session set expires_at = now() - interval '1 second' where user_id = $1",
    [ann.id],
  );
  assert.is((await get("/social/viewer_ann", ann.session)).results[0]?.following, undefined);
});

Viewers.run();
