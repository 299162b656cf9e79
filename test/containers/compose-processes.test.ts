import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";
import { type ComposeProcesses, composeProcesses, ownAddress } from "./compose-processes.ts";

const Compose = suite("the processes of docker-compose.yml");
const redis = spawnSync("redis-server", ["--version"]).status === 0;
if (!redis) console.warn("\n!!! SKIPPED: no redis-server here; the containers' processes run without Redis !!!\n");
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
const hasHaproxy = spawnSync("haproxy", ["-v"], { env }).status === 0;
if (!hasHaproxy) console.warn("\n!!! SKIPPED: no haproxy here; the balancer of the containers is not tested !!!\n");
const haproxy = hasHaproxy && ownAddress() !== "127.0.0.1";

let processes: ComposeProcesses;
Compose.before(async () => {
  processes = await composeProcesses({ redis, haproxy });
  await processes.up("social", 2);
  await processes.up("gateway", 2);
  await processes.up("balancer");
});
Compose.after(() => processes.stop());

const secret = (holder: string, name: string) => readFileSync(processes.file(`secrets-${holder}`, name), "utf8").trim();

const at = (replica: number, path: string) => `http://127.0.0.1:${processes.port("gateway", replica)}${path}`;

/** On a busy machine a gateway is not ready at times: a service has not answered its health check within 2.5 s. */
async function becomesReady(url: string): Promise<void> {
  let reply = "";
  await eventually("the gateway is ready", async () => {
    reply = await (await fetch(url)).text();
    return reply === '{"ready":true,"reasons":[]}';
  }).catch((error: Error) => assert.unreachable(`${error.message}: ${reply}`));
}

async function lookUp(replica: number, name: string): Promise<string[]> {
  const reply = await fetch(at(replica, `/social/${name}`));
  const text = await reply.text();
  assert.is(reply.status, 200, text);
  const { results } = JSON.parse(text) as { results: { screen_name: string }[] };
  return results.map(({ screen_name }) => screen_name);
}

Compose("begin with an empty system; a write by one gateway shows at all of them", async () => {
  for (const replica of [1, 2]) {
    await becomesReady(at(replica, "/readyz"));
    assert.equal(await lookUp(replica, "lighthouse,ann"), []);
  }
  const body = JSON.stringify({ userName: "ann", password: "correct horse" });
  const { status } = await fetch(at(1, "/register"), { method: "POST", body });
  assert.is(status, 200);
  assert.equal([await lookUp(1, "ann"), await lookUp(2, "ann")], [["ann"], ["ann"]]);
});

Compose("refuse callers from outside loopback without the service token", async () => {
  if (processes.address === "127.0.0.1") return;
  const ask = async (token?: string) => {
    const url = `http://${processes.address}:${processes.port("social")}/social.v1.SocialService/SocialUsers`;
    const headers = { "content-type": "application/json", ...(token && { "roost-service-token": token }) };
    return (await fetch(url, { method: "POST", headers, body: "{}" })).status;
  };
  const token = secret("operator", "service-token");
  assert.equal([await ask(), await ask("guess"), await ask(token)], [401, 401, 200]);
});

Compose("keep their secrets when the secrets task runs again, and share a token that an operator wrote", async () => {
  const secrets = () => [
    secret("postgres", "password"),
    secret("account", "database-url"),
    secret("gateway", "service-token"),
  ];
  const before = secrets();
  assert.is((await processes.run("secrets")).code, 0);
  assert.equal(secrets(), before);
  assert.ok(before.every((text) => text.length >= 43));

  const tokens = `${secret("account", "service-token")},next`;
  const file = processes.file("secrets-account", "service-token");
  rmSync(file);
  writeFileSync(file, tokens);
  assert.is((await processes.run("secrets")).code, 0);
  assert.equal([secret("social", "service-token"), secret("operator", "service-token")], [tokens, tokens]);
});

const withBalancer = haproxy ? Compose : Compose.skip;

withBalancer("are each reached by one port of the balancer, which tells the gateway the client's address", async () => {
  const gateway = `http://127.0.0.1:${processes.balancerPort("GATEWAY_PORT")}`;
  await becomesReady(`${gateway}/readyz`);
  assert.equal(await lookUp(1, "ann"), ["ann"]);
  const [token = ""] = secret("operator", "service-token").split(",");
  for (const [setting, name] of [
    ["ACCOUNT_PORT", "account"],
    ["SOCIAL_PORT", "social"],
  ] as const) {
    const headers = { "content-type": "application/json", "roost-service-token": token };
    const url = `http://127.0.0.1:${processes.balancerPort(setting)}/grpc.health.v1.Health/Check`;
    const reply = await fetch(url, { method: "POST", headers, body: "{}" });
    assert.equal(await reply.json(), { status: "SERVING" }, name);
  }
  // The gateway closes connections from the balancer's network without the PROXY protocol.
  const direct = await fetch(`http://${processes.address}:${processes.port("gateway")}/livez`).catch(() => undefined);
  assert.is(direct, undefined);
});

Compose("show the sample data, which is loaded once", async () => {
  await processes.up("sample");
  assert.equal(await lookUp(2, "lighthouse"), ["lighthouse"]);
  const { code, output } = await processes.run("sample");
  assert.equal([code, output], [0, ""]);
});

Compose("run the operator's tool", async () => {
  const { code, output } = await processes.run("cli");
  assert.is(code, 0, output);
  assert.match(output, "Usage");
});

withBalancer("answer 503 with the reason at /readyz without the account service, and still serve reads", async () => {
  const gateway = `http://127.0.0.1:${processes.balancerPort("GATEWAY_PORT")}`;
  assert.is(await processes.end("account"), 0);
  await eventually("the balancer answers 503", async () => {
    const reply = await fetch(`${gateway}/readyz`).catch(() => undefined);
    return reply?.status === 503;
  });
  const { reasons } = (await (await fetch(`${gateway}/readyz`)).json()) as { reasons: string[] };
  assert.match(reasons.join(), /^account: /);
  assert.is((await fetch(`${gateway}/social/ann`)).status, 200);
});

Compose.run();
