import pg from "pg";
import * as assert from "uvu/assert";
import type { Running } from "../../services/platform/lifecycle.ts";
import { eventually } from "../support/eventually.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { launch } from "../support/launch.ts";
import { password, register, registerSignedIn, valuesOf } from "../support/people.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Dependencies = suite("dependencies that fail");
let services: TestServices;
let gateway: Running;
let toAccount: FaultProxy;
let toSocial: FaultProxy;
let accountToSocial: FaultProxy;
let session: string;

Dependencies.before(async () => {
  accountToSocial = await startFaultProxy(() => portOf(services.socialUrl));
  services = await startTestServices({ SOCIAL_URL: accountToSocial.url });
  toAccount = await startFaultProxy(portOf(services.accountUrl));
  toSocial = await startFaultProxy(() => portOf(services.socialUrl));
  const env = { ACCOUNT_URL: toAccount.url, SOCIAL_URL: toSocial.url, SERVICE_TIMEOUT_MS: "3000" };
  gateway = await launch("gateway", env, services);
  ({ sessionId: session } = await registerSignedIn(services, "ann"));
});
Dependencies.before.each(() => {
  for (const proxy of [toAccount, toSocial, accountToSocial]) proxy.heal();
  services.logged.length = 0;
});
Dependencies.after(async () => {
  await gateway.close();
  for (const proxy of [toAccount, toSocial, accountToSocial]) await proxy.close();
  await services.stop();
});

const portOf = (url: string) => Number(new URL(url).port);
const fields = (userName: string) => ({ userName, password });
const bearer = () => ({ headers: { authorization: `Bearer ${session}` } });
let round = 0;

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(gateway.url + path, init);
  const body = (await response.json()) as { results?: unknown[]; responseStatus?: Record<string, string> };
  return { status: response.status, retryAfter: response.headers.get("retry-after"), ...body };
}

/** The calls that need a service, and the proxy to that service. */
const calls: [what: string, proxy: () => FaultProxy, call: () => ReturnType<typeof ask>][] = [
  ["a lookup", () => toSocial, () => ask("/social/ann")],
  ["a timeline", () => toSocial, () => ask("/social/ann/timelines")],
  ["a batch", () => toSocial, () => ask("/json/reply/SocialUsers[]", post([{ screenNames: ["ann"] }]))],
  ["a registration", () => toAccount, () => ask("/register", post(fields(`new${round++}`)))],
  ["the session of a lookup", () => toAccount, () => ask("/social/ann", bearer())],
];

function post(body: unknown): RequestInit {
  return { method: "POST", body: JSON.stringify(body) };
}

/** An answer of seven bytes, which are no message. */
const garbage = (type: string, { status = "200 OK", length = 7 } = {}) =>
  `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\ngarbage`;
const answers: Record<string, string> = {
  "answers without HTTP": "garbage\r\n\r\n",
  "answers HTML": garbage("text/html"),
  "answers an invalid message": garbage("application/proto"),
  "answers a truncated message": garbage("application/proto", { length: 99 }),
  "is behind a balancer that answers 502": garbage("text/html", { status: "502 Bad Gateway" }),
};
const failures: [what: string, fail: (proxy: FaultProxy) => void, status: number, errorCode: string][] = [
  ["times out", (proxy) => proxy.stall(), 504, "Timeout"],
  ["breaks the connection", (proxy) => proxy.refuse(), 503, "ServiceUnavailable"],
  ...Object.entries(answers).map(([what, bytes]): (typeof failures)[number] => {
    return [what, (proxy) => proxy.answer(bytes), 503, "ServiceUnavailable"];
  }),
];

for (const [call, proxy, run] of calls) {
  for (const [what, fail, status, errorCode] of failures) {
    Dependencies(`make ${call} a ${status} when the service ${what}, and do not affect it after that`, async () => {
      await eventually("the call succeeds again", async () => (await run()).status === 200);
      fail(proxy());
      const reply = await run();
      assert.equal([reply.status, reply.responseStatus?.errorCode], [status, errorCode]);
      assert.equal(Object.keys(reply.responseStatus ?? {}), ["errorCode", "message"]);
      assert.is(reply.retryAfter, status === 503 ? "1" : null);
      const reference = /^[A-Z][a-z A-Z]+\. Reference: ([0-9a-f]{16})$/.exec(reply.responseStatus?.message ?? "")?.[1];
      const causes = services.logged.filter((line) => line.reference === reference && line.err !== undefined);
      assert.equal(valuesOf(causes, "level"), [40]);
      proxy().heal();
      await eventually("the call succeeds again", async () => (await run()).status === 200);
    });
  }
}

Dependencies("do not fail a registration when the social service does not answer the account service", async () => {
  accountToSocial.stall();
  // Sent to the account service, which waits for two seconds, longer than this gateway.
  await register(services, "patient");
  assert.equal((await ask("/social/patient")).results, []);
  accountToSocial.heal();
  await eventually("the profile", async () => (await ask("/social/patient")).results?.length === 1);
});

const databases: [role: "account" | "social", what: string, call: () => ReturnType<typeof ask>][] = [
  ["social", "a lookup", () => ask("/social/ann,unknown")],
  ["social", "a timeline", () => ask("/social/ann/timelines")],
  ["account", "a registration", () => ask("/register", post(fields(`new${round++}`)))],
];
for (const [role, what, run] of databases) {
  Dependencies(`make ${what} a 503, never an incomplete reply, while the ${role} database is unavailable`, async () => {
    const reply = await services.database.whileUnavailable(role, run);
    assert.equal([reply.status, reply.responseStatus?.errorCode], [503, "ServiceUnavailable"]);
    await eventually("the database's return", async () => (await run()).status === 200);
  });

  Dependencies(`make ${what} a 504 while a lock in the ${role} database delays it`, async () => {
    const table = role === "social" ? "social.profile" : "account.account";
    const holder = new pg.Client({ connectionString: services.database[role] });
    await holder.connect();
    await holder.query(`begin; lock table ${table} in access exclusive mode`);
    const reply = await run().finally(() => holder.end());
    assert.equal([reply.status, reply.responseStatus?.errorCode], [504, "Timeout"]);
    await eventually("the answer", async () => (await run()).status === 200);
  });
}

Dependencies.run();
