import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";
import { signUp } from "../support/visitors.ts";

const Limits = suite("limits of registration and sign-in");
const system = useSystem(Limits, {
  RATE_LIMITS: "on",
  REGISTRATIONS_PER_ADDRESS: "3",
  REGISTRATIONS_PER_NAME: "2",
  SIGN_INS_PER_NAME: "2",
  TRUST_PROXY: "127.0.0.0/8",
});

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(system.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const retryAfter = Number(response.headers.get("retry-after"));
  return { status: response.status, text: await response.text(), retryAfter };
}

/** Sends a request as a client at this address behind a trusted proxy. */
const ask = (address: string, path: string, body: unknown) => post(path, body, { "x-forwarded-for": address });

let count = 0;
const person = () => ({ userName: `person${count++}`, password: "correct horse" });
const register = (address: string, form: object = person()) => ask(address, "/register", form);
const statuses = (replies: { status: number }[]) => replies.map(({ status }) => status);
const tooMany = '{"responseStatus":{"errorCode":"TooManyRequests","message":"Too many requests."}}';

async function inTurn<T>(work: (() => Promise<T>)[]): Promise<T[]> {
  const results = [];
  for (const each of work) results.push(await each());
  return results;
}

Limits("refuses registrations above the limit of an address, valid or not, on every route", async () => {
  const a = "192.0.2.1";
  const replies = await inTurn([
    () => register(a),
    () => register(a, {}),
    () => ask(a, "/json/reply/Registration", person()),
    () => ask(a, "/api/Registration", person()),
    () => ask(a, "/json/oneway/Registration", person()),
    () => ask(a, "/register?callback=f", person()),
  ]);
  assert.equal(statuses(replies), [200, 400, 200, 429, 429, 200]);
  assert.equal([replies[3]?.text, replies[5]?.text], [tooMany, `f(${tooMany})`]);
  // Three in an hour, so one more after twenty minutes.
  for (const { retryAfter } of replies.slice(3)) assert.ok(retryAfter > 1_000 && retryAfter <= 1_200, `${retryAfter}`);
  assert.is((await register("192.0.2.2")).status, 200);
});

Limits("counts each item of a batch", async () => {
  const batch = Array.from({ length: 4 }, person);
  const { status, text } = await ask("192.0.2.3", "/json/reply/Registration[]", batch);
  assert.equal([status, text], [429, tooMany]);
  assert.is((await ask("192.0.2.4", "/json/reply/Registration[]", batch.slice(3))).status, 200);
});

Limits("counts a /64 of IPv6 as one address", async () => {
  const replies = await inTurn(["::1", "::2", ":a:b:c:d", "::1"].map((end) => () => register(`2001:db8:0:7${end}`)));
  assert.equal(statuses(replies), [200, 200, 200, 429]);
  assert.is((await register("2001:db8:0:8::1")).status, 200);
});

Limits("refuses registrations of one name by address, in any case, and later for all addresses", async () => {
  const wanted = (address: string, userName: string) => register(address, { ...person(), userName });
  const here = await inTurn(["Wanted", "wanted", "WANTED"].map((name) => () => wanted("198.51.100.0", name)));
  assert.equal(statuses(here), [200, 400, 429]);
  const elsewhere = await inTurn(
    Array.from({ length: 19 }, (_, index) => () => wanted(`198.51.100.${1 + Math.floor(index / 2)}`, "wanted")),
  );
  assert.equal(statuses(elsewhere), [...Array.from({ length: 18 }, () => 400), 429]);
});

Limits("does not count registrations refused by address against the name", async () => {
  const a = "192.0.2.5";
  await inTurn([1, 2, 3].map(() => () => register(a)));
  const coveted = { ...person(), userName: "coveted" };
  const refused = await inTurn([1, 2, 3].map(() => () => register(a, coveted)));
  assert.equal(statuses(refused), [429, 429, 429]);
  assert.is((await register("192.0.2.6", coveted)).status, 200);
});

Limits("refuses sign-ins by name, however it is written", async () => {
  const attempt = (userName: string) => ask("192.0.2.7", "/auth", { userName, password: "not the password" });
  const replies = await inTurn(["guess", "Guess", "GUESS ", "other"].map((name) => () => attempt(name)));
  assert.equal(statuses(replies), [401, 401, 429, 401]);
});

Limits.run();

const WriteLimits = suite("limits of writes by HTTP");
useSystem(WriteLimits, { STATUSES_PER_3_HOURS: "3" }, system);
async function signedIn(): Promise<Record<string, string>> {
  const { session } = await signUp(system, `user${count++}`);
  return { authorization: `Bearer ${session}` };
}

WriteLimits("answer 429 with Retry-After in the error shape, only to this user", async () => {
  const publish = (headers: Record<string, string>) => post("/timelines/publish", { text: "hello" }, headers);
  const [ann, bob] = [await signedIn(), await signedIn()];
  for (let index = 0; index < 3; index++) assert.is((await publish(ann)).status, 200);
  const refused = await publish(ann);
  assert.equal([refused.status, refused.text], [429, tooMany]);
  assert.ok(refused.retryAfter > 10_700 && refused.retryAfter <= 10_980, `${refused.retryAfter}`);
  assert.is((await publish(bob)).status, 200);
});

WriteLimits.run();
