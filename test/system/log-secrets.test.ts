// The three processes at LOG_LEVEL=trace; test/account/secrets.test.ts tests more of the services' own calls.
import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { OperatorService } from "../../proto/gen/account/v1/operator_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { type Rig, startRig } from "../faults/rig.ts";
import { readUntilClosed } from "../gateway/raw-socket.ts";
import { makeDataFolder } from "../support/data-folder.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";

const Secrets = suite("secrets and the logs of all processes");

/** Words that occur nowhere else, by their place in requests. */
const marker = (where: string) => `${where}-${randomBytes(12).toString("hex")}`;
const secret = {
  password: marker("password"),
  otherPassword: marker("other"),
  wrongPassword: marker("wrong"),
  query: marker("query"),
  cookie: marker("cookie"),
  bearer: marker("bearer"),
  serviceToken: marker("service"),
  strangeToken: marker("strange"),
};
const known = new Set(Object.values(secret));
const invited = { "x-invitation": "" };
const home = makeDataFolder("roost-secrets-");
let rig: Rig;

Secrets.before(async () => {
  const settings = { LOG_LEVEL: "trace", SIGN_UP: "invite", SERVICE_TOKEN: secret.serviceToken };
  rig = await startRig({ settings, home });
});
Secrets.after(async () => {
  await rig.stop();
  rmSync(home, { recursive: true, force: true });
});

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const given = { "content-type": "application/json", ...invited, ...headers };
  const response = await fetch(rig.gateway + path, { method: "POST", body: text, headers: given });
  return { status: response.status, text: await response.text(), cookie: response.headers.get("set-cookie") ?? "" };
}

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(rig.gateway + path, { headers });
  return { status: response.status, text: await response.text() };
}

/** Makes an invitation as the operator's tool does, and registers a user by it. */
async function invite(): Promise<void> {
  const baseUrl = `http://127.0.0.1:${rig.wires["gateway to account"].port}`;
  const { transport, close } = createServiceTransport({ baseUrl, caller: "test", serviceToken: secret.strangeToken });
  const { invitation } = await createClient(OperatorService, transport).makeInvitation({ uses: 100, maxAge: 60 });
  close();
  invited["x-invitation"] = invitation;
  known.add(invitation);
  assert.is((await post("/register", { userName: "Ned", password: secret.otherPassword })).status, 200);
}

/** Makes valid and invalid requests to operations on one's own account, by fields, query and path. */
async function ownAccount(): Promise<void> {
  const { password, otherPassword, wrongPassword, query } = secret;
  const signedIn = await post("/auth", { userName: "ned", password: otherPassword });
  assert.is(signedIn.status, 200, signedIn.text);
  const { sessionId } = JSON.parse(signedIn.text) as { sessionId: string };
  known.add(sessionId);
  const bearer = { authorization: `Bearer ${sessionId}` };
  assert.is((await post("/auth/password", { oldPassword: otherPassword, newPassword: password }, bearer)).status, 200);
  for (const [path, body, status] of [
    ["/auth", { userName: "ned", password: wrongPassword }, 401],
    ["/auth", { userName: wrongPassword, password: wrongPassword }, 401],
    ["/auth", { password: wrongPassword, continue: wrongPassword }, 400],
    [`/auth/${query}`, { password: wrongPassword, userName: "ned" }, 404],
    [`/auth?userName=ned&password=${query}&continue=/${query}`, {}, 401],
    ["/auth/password", { oldPassword: wrongPassword, newPassword: wrongPassword }, 401],
    [`/auth/password?oldPassword=${query}&newPassword=${query}&requestId=${query}`, {}, 400],
    ["/profile/delete", { password: wrongPassword }, 401],
    [`/profile/delete?password=${query}`, {}, 401],
    ["/timelines/publish", { text: "hello", requestId: wrongPassword }, 400],
    ["/auth/sessions", {}, 200],
    ["/auth", {}, 200],
    ["/auth/logout", {}, 200],
  ] as const) {
    assert.is((await post(path, body, bearer)).status, status, path);
  }
}

/** Registers, signs in and reads with sessions of every kind. */
async function everyday(): Promise<void> {
  const registered = await post("/register", { userName: "Sue", password: secret.password, autoLogin: true });
  assert.is(registered.status, 200, registered.text);
  const { sessionId } = JSON.parse(registered.text) as { sessionId: string };
  known.add(sessionId);
  assert.match(registered.cookie, sessionId);
  const callers: Record<string, string>[] = [
    { cookie: `ss-id=${sessionId}` },
    { authorization: `Bearer ${sessionId}` },
    { cookie: `ss-id=${secret.cookie}` },
    { authorization: `Bearer ${secret.bearer}` },
    { authorization: `Basic ${secret.bearer}` },
  ];
  for (const headers of callers) {
    assert.is((await get("/social/sue", headers)).status, 200);
    assert.is((await get("/social/sue/timelines?callback=show", headers)).status, 200);
  }
}

/** Sends invalid requests with secrets in every place. */
async function badInput(): Promise<void> {
  const { query, password, cookie, bearer } = secret;
  const headers = { cookie: `ss-id=${cookie}`, authorization: `Bearer ${bearer}` };
  const replies: string[] = [];
  for (const path of [
    `/register?userName=kim&password=${query}&firstName=${query}&continue=/${query}`,
    `/register?userName=${query}&password=${query}&email=${query}&callback=show`,
    `/register?password=${query}&callback=${query}()`,
    `/register?password=${query}%`,
    `/register/${query}?password=${query}`,
    `/${query}/${query}`,
    `/json/reply/${query}?password=${query}`,
    `/json/oneway/Registration?password=${query}&autoLogin=${query}`,
    `/social/ids/${query}`,
    `/social/sue/timelines?take=${query}&sinceId=${query}`,
  ]) {
    replies.push((await get(path, headers)).text);
  }
  const form = { "content-type": "application/x-www-form-urlencoded" };
  for (const [path, body, more] of [
    ["/register", `{"userName":"kim","password":"${password}`],
    ["/register", { userName: `${password}@`, password: [password], autoLogin: password }],
    ["/json/reply/Registration[]", [{ userName: "?", password, continue: password }]],
    ["/register", `password=${password}&userName=%`, form],
  ] as const) {
    replies.push((await post(path, body, { ...headers, ...more })).text);
  }
  for (const secret of [query, password]) assert.not.match(replies.join("\n"), secret);
  const { port } = new URL(rig.gateway);
  for (const [verb, rest] of [
    ["GET", `Cookie: ss-id=${cookie}\r\nbad header\r\n\r\n`],
    ["POST", `Transfer-Encoding: chunked\r\n\r\n${password}\r\n`],
  ]) {
    await readUntilClosed(Number(port), `${verb} /register?password=${query} HTTP/1.1\r\nHost: x\r\n${rest}`);
  }
}

/** Sends requests while their service is unavailable, which is logged with the cause. */
async function whileUnavailable(): Promise<void> {
  const { password, cookie, query } = secret;
  const wires = ["account to Postgres", "gateway to account", "account to social"] as const;
  let retries = 0;
  for (const wire of wires) {
    await eventually("registrations succeed again", async () => {
      const { status } = await post("/register", { userName: `back${++retries}`, password });
      return status === 200;
    });
    rig.wires[wire].refuse();
    await post(`/register?continue=/${query}`, { userName: `away${wires.indexOf(wire)}`, password });
    await get("/social/sue", { cookie: `ss-id=${cookie}` });
    rig.wires[wire].heal();
  }
  rig.wires["gateway to account"].answer(`HTTP/1.1 200 OK\r\nroost-session: ${cookie}\r\ncontent-length: 3\r\n\r\nabc`);
  await post("/register", { userName: "away9", password });
  rig.wires["gateway to account"].heal();
}

const logOf = (name: string) => readFileSync(join(rig.folder, "log", `${name}.log`), "utf8").trimEnd();
const linesOf = (name: string): Record<string, unknown>[] =>
  logOf(name)
    .split("\n")
    .map((line) => JSON.parse(line));

Secrets("no line of any process has a secret, whether requests with it succeed or fail", async () => {
  await invite();
  await ownAccount();
  await everyday();
  await badInput();
  await whileUnavailable();
  assert.is(known.size, 11);
  for (const name of ["gateway", "account", "social"]) {
    const text = logOf(name);
    for (const word of known) assert.not.ok(text.includes(word), `${name} holds ${word}`);
  }
  // Everything was logged: requests of every outcome, and errors of our own.
  const requests = linesOf("gateway").filter(({ msg }) => msg === "request");
  const statuses = new Set(requests.map(({ status }) => status));
  for (const status of [200, 400, 404, 405, 503]) assert.ok(statuses.has(status), `${status}`);
  assert.ok(linesOf("gateway").some(({ msg }) => msg === "refused"));
  assert.ok(linesOf("account").some(({ msg }) => msg === "the database is not available"));
  assert.ok(linesOf("account").some(({ msg }) => msg === "profiles follow by the outbox"));
});

Secrets("every request has one line, and each RPC for it one with its reference", async () => {
  // A line is written after the reply was sent, so lines of earlier requests may still be missing.
  await sleep(20);
  const start = Date.now();
  const { status } = await post("/register", { userName: "Lou", password: secret.password });
  assert.is(status, 200);
  await get("/social/lou", { authorization: `Bearer ${secret.bearer}` });
  const requests = () =>
    linesOf("gateway").filter(({ msg, time, ms }) => msg === "request" && Number(time) - Number(ms) > start - 10);
  await eventually("both are logged", async () => requests().length === 2);
  const [registration, lookUp] = requests();
  assert.equal([registration?.operation, registration?.status], ["Registration", 200]);
  for (const line of [registration, lookUp]) {
    assert.match(`${line?.reference}`, /^[0-9a-f]{16}$/);
    assert.type(line?.ms, "number");
  }
  const rpcs = linesOf("account").filter(({ msg }) => msg === "rpc");
  const [own, ...others] = rpcs.filter(({ reference }) => reference === registration?.reference);
  assert.equal(
    [own?.rpc, own?.code, own?.caller, own?.level, others],
    ["account.v1.AccountService/Registration", "OK", "gateway", 30, []],
  );
  // An RPC of a read is logged at debug without a reference, since several requests may share it.
  assert.not.ok(rpcs.some(({ reference }) => reference === lookUp?.reference));
  const asked = rpcs.findLast(({ rpc }) => rpc === "account.v1.SessionService/FindSessionUsers");
  assert.equal([asked?.code, asked?.level, asked?.reference], ["OK", 20, undefined]);
});

Secrets.run();
