import * as assert from "uvu/assert";
import { startCallCounter } from "../support/call-counter.ts";
import { password } from "../support/people.ts";
import { suite, uses } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";
import { askAs } from "../support/visitors.ts";

// Contract §6 where test/contract/cases cannot test it: settings, the log, the database and proxies.

const Registration = suite("Registration rules");
const hashes = uses(Registration, () => startCallCounter("makeHash"));
const system = useSystem(Registration, {
  PASSWORD_MIN_LENGTH: "12",
  CONTINUE_ORIGINS: "https://app.example, https://b.example:8443",
  SESSION_MAX_AGE: "600",
  TRUST_PROXY: "127.0.0.1",
});

async function register(fields: Record<string, unknown>) {
  const response = await fetch(`${system.url}/register`, { method: "POST", body: JSON.stringify(fields) });
  const text = await response.text();
  const { responseStatus } = JSON.parse(text) as {
    responseStatus: { errors?: { fieldName: string; errorCode: string }[] };
  };
  /** "fieldName errorCode" of each bad field. */
  const bad = (responseStatus.errors ?? []).map(({ fieldName, errorCode }) => `${fieldName} ${errorCode}`);
  return { text, cookie: response.headers.get("set-cookie") ?? "", bad };
}

Registration("a user name of one character is a letter, a digit or an underscore", async () => {
  // The ends of each range of characters, and those next to them.
  for (const userName of "!-./09:@AZ[^_`az{~") {
    const { bad } = await register({ userName, password });
    const isTaken = /[a-z]/.test(userName);
    const expected = isTaken ? ["userName AlreadyExists"] : /\w/.test(userName) ? [] : ["userName RegularExpression"];
    assert.equal(bad, expected, userName);
  }
});

Registration("a password has at least as many code points as configured", async () => {
  assert.equal((await register({ userName: "short1", password: "x".repeat(11) })).bad, ["password Length"]);
  assert.equal((await register({ userName: "short2", password: "😀".repeat(11) })).bad, ["password Length"]);
  assert.equal((await register({ userName: "long1", password: "x".repeat(12) })).bad, []);
  assert.equal((await register({ userName: "long2", password: "😀".repeat(12) })).bad, []);
});

Registration("a password is checked before it is hashed, so that a refused one costs no hash", async () => {
  await hashes.calls();
  const refused = ["x".repeat(1_000_000), "😀".repeat(250_000), "x".repeat(1_025), "short", "", " ".repeat(1_000_000)];
  for (const wrong of refused)
    assert.match((await register({ userName: "unhashed", password: wrong })).bad.join(), "password");
  assert.equal((await register({ userName: "-", password })).bad, ["userName RegularExpression"]);
  assert.equal((await register({ userName: "A", password })).bad, ["userName AlreadyExists"]);
  assert.is(await hashes.calls(), 0);
  assert.equal((await register({ userName: "hashed", password })).bad, []);
  assert.is(await hashes.calls(), 1);
});

Registration("continue may be limited to listed origins by a setting; a path is always accepted", async () => {
  const good = ["/home", "https://app.example", "https://APP.example/a?b#c", "https://b.example:8443/"];
  for (const [index, target] of good.entries()) {
    const { text } = await register({ userName: `good${index}`, password, continue: target });
    assert.is((JSON.parse(text) as { referrerUrl?: string }).referrerUrl, target);
  }
  const hosts = [
    "https://b.example/",
    "https://app.example.evil/",
    "https://x.app.example/",
    "https://app.example@evil/",
  ];
  for (const target of [...hosts, "http://app.example/", "//app.example"]) {
    assert.equal((await register({ userName: "elsewhere", password, continue: target })).bad, ["continue InvalidUrl"]);
  }
});

Registration("the cookie and the session expire after the configured time", async () => {
  const { cookie } = await register({ userName: "timed", password, autoLogin: true });
  assert.match(cookie, /; Max-Age=600; /);
  const left = await system.database.query(
    `select round(extract(epoch from expires_at - now()) / 60)::int as minutes
     from account.session join account.account using (user_id) where name_key = 'timed'`,
  );
  assert.equal(left, [{ minutes: 10 }]);
  const session = /^ss-id=([^;]+)/.exec(cookie)?.[1];
  assert.is((await askAs(system, "/social/timed", session)).results[0]?.following, false);
  await system.database.query(`update account.session set expires_at = now()`);
  assert.is((await askAs(system, "/social/timed", session)).results[0]?.following, undefined);
});

Registration.run();

const SignUp = suite("sign-up by HTTP");
useSystem(SignUp, { SIGN_UP: "invite" }, system);

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(system.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

const form = (userName: string) => ({ userName, password });
const message = "Registration needs a valid invitation.";
const refusal = { status: 403, text: `{"responseStatus":{"errorCode":"Forbidden","message":"${message}"}}` };

SignUp("reads an invitation from the header X-Invitation, on every route", async () => {
  const { invitation } = await system.clients.operator.makeInvitation({ uses: 4, maxAge: 60 });
  const invited = { "x-invitation": invitation };
  assert.equal(await post("/register", form("ann")), refusal);
  assert.is((await post("/register", form("ann"), invited)).status, 200);
  assert.is((await post("/json/reply/Registration", form("bob"), invited)).status, 200);
  assert.is((await post("/api/Registration[]", [form("cid"), form("dan")], invited)).status, 200);
  assert.equal(await post("/register", form("eve"), invited), refusal);
  const long = { "x-invitation": "x".repeat(40_000) };
  assert.equal(await post("/register", form("eve"), long), refusal);
});

SignUp("ignores an invitation in the query or the body", async () => {
  const { invitation } = await system.clients.operator.makeInvitation({ uses: 1, maxAge: 60 });
  const path = `/register?x-invitation=${invitation}&invitation=${invitation}`;
  assert.is((await post(path, { ...form("fay"), invitation, "x-invitation": invitation })).status, 403);
});

SignUp.run();
