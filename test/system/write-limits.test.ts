import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import { signUp } from "../support/visitors.ts";

const Limits = suite("limits of writes by HTTP");
let system: TestSystem;
let bearer: Record<string, string>;
let bob: Record<string, string>;

Limits.before(async () => {
  system = await startTestSystem({ STATUSES_PER_3_HOURS: "3", FOLLOWS_PER_DAY: "1", MARKS_PER_DAY: "1" });
});
Limits.before.each(async () => {
  [bearer, bob] = [await signedIn(), await signedIn()];
});
Limits.after(() => system.stop());

let count = 0;

async function signedIn(): Promise<Record<string, string>> {
  const { session } = await signUp(system, `user${count++}`);
  return { authorization: `Bearer ${session}` };
}

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(system.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const publish = (body: object = { text: "hello" }, headers = bearer) => post("/timelines/publish", body, headers);
const tooMany = '{"responseStatus":{"errorCode":"TooManyRequests","message":"Too many requests."}}';

Limits("answer 429 with Retry-After in the error shape, only to this user", async () => {
  for (let index = 0; index < 3; index++) assert.is((await publish()).status, 200);
  const refused = await publish();
  assert.equal([refused.status, refused.text], [429, tooMany]);
  const wait = Number(refused.headers.get("retry-after"));
  assert.ok(wait > 10_700 && wait <= 10_980, `${wait}`);
  assert.is((await publish(undefined, bob)).status, 200);
});

Limits("count each item of a batch, and keep the changes before the refused one", async () => {
  const items = Array.from({ length: 5 }, (_, index) => ({ text: `item ${index}` }));
  const { status, text, headers } = await post("/api/PublishStatus[]", items, bearer);
  assert.equal([status, text, headers.get("x-autobatch-completed")], [429, tooMany, "3"]);
  const shown = await fetch(`${system.url}/social/user${count - 2}/timelines`).then((response) => response.text());
  assert.is(shown.match(/"text":"item/g)?.length, 3);
});

Limits("are checked after the session and the rules of fields, and before 404", async () => {
  for (let index = 0; index < 3; index++) await publish();
  assert.is((await publish(undefined, {})).status, 401);
  assert.is((await publish({ text: "" })).status, 400);
  await post(`/social/user${count - 1}/follow`, {}, bearer);
  for (const name of [`user${count - 1}`, "unknown"])
    assert.is((await post(`/social/${name}/follow`, {}, bearer)).status, 429, name);
  assert.is((await post("/social/unknown/follow", { following: false }, bearer)).status, 404);
});

Limits.run();
