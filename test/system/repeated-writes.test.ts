import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import type { Running } from "../../services/platform/lifecycle.ts";
import { eventually } from "../support/eventually.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { launch, launchProcess } from "../support/launch.ts";
import { useSharedSystem } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import { signUp, type Visitor } from "../support/visitors.ts";

// Contract §11.14 over HTTP, for clients that repeat writes after a broken connection.
const Repeated = suite("repeated writes");
let other: Running;
/** A proxy to the social service, for the gateway that is killed. */
let proxy: FaultProxy;
let ann: Visitor;
let bea: Visitor;

Repeated.after(async () => {
  await other?.close();
  await proxy?.close();
});
const system = useSharedSystem(Repeated);
Repeated.before(async () => {
  other = await launch("gateway", gatewaySettings(system.socialUrl), system);
  proxy = await startFaultProxy(Number(new URL(system.socialUrl).port));
});
Repeated.before.each(async () => {
  const word = randomUUID().slice(0, 8);
  [ann, bea] = [await signUp(system, `ann_${word}`), await signUp(system, `bea_${word}`)];
});

const gatewaySettings = (socialUrl: string) => ({ ACCOUNT_URL: system.accountUrl, SOCIAL_URL: socialUrl });

interface Write {
  path: string;
  fields: Record<string, unknown>;
}

/** Sends a write of ann under a key; returns status and body. */
async function send(gateway: { url: string }, { path, fields }: Write, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${ann.session}`, "idempotency-key": key };
  const response = await fetch(`${gateway.url}${path}`, { method: "POST", headers, body: JSON.stringify(fields) });
  return `${response.status} ${await response.text()}`;
}

/** A write of each kind, of ann's. */
async function eachWrite(): Promise<Write[]> {
  const publish = { path: "/timelines/publish", fields: { text: "once" } };
  const [own, others] = await Promise.all([ann, bea].map((author) => publishedBy(author)));
  return [
    publish,
    { path: "/timelines/delete", fields: { id: own } },
    { path: `/social/${bea.name}/timelines/${others}/mark`, fields: { favorited: true, retweeted: true } },
    { path: `/social/${bea.name}/follow`, fields: {} },
    { path: `/social/${bea.name}/answer`, fields: { approved: false } },
    { path: "/profile", fields: { location: "here" } },
  ];
}

async function publishedBy({ session }: Visitor): Promise<number> {
  const headers = { authorization: `Bearer ${session}` };
  const response = await fetch(`${system.url}/timelines/publish`, { method: "POST", headers, body: '{"text":"seed"}' });
  const { results } = (await response.json()) as { results: { id: number }[] };
  return results[0]?.id ?? 0;
}

/** The number of these requests of ann that are committed. */
async function countDone(keys: readonly string[]): Promise<number> {
  const text = "select from social.request where user_id = $1 and request_id = any ($2)";
  return (await system.database.query(text, [ann.id, keys])).length;
}

/** The timelines and counters of ann and bea. */
async function look(): Promise<string> {
  const paths = [ann, bea].flatMap(({ name }) => [`/social/${name}`, `/social/${name}/timelines?take=200`]);
  return (await Promise.all(paths.map(async (path) => (await fetch(`${other.url}${path}`)).text()))).join("\n");
}

Repeated("get the first answer after the gateway was killed between write and answer", async () => {
  const writes = (await eachWrite()).map((write) => ({ write, key: randomUUID() }));
  const keys = writes.map(({ key }) => key);
  const gateway = await launchProcess("gateway", { ...gatewaySettings(proxy.url), SERVICE_TIMEOUT_MS: "60000" });
  proxy.loseReplies();
  const sent = writes.map(({ write, key }) => send(gateway, write, key));
  const outcomes = Promise.allSettled(sent);
  await eventually("all writes are committed", async () => (await countDone(keys)) === keys.length);
  await gateway.kill();
  proxy.heal();
  for (const { status } of await outcomes)
    assert.is(status, "rejected", "an answer came before the gateway was killed");
  const before = await look();
  for (const { write, key } of writes) {
    const first = await send(other, write, key);
    assert.match(first, /^200 \{"results":\[/, write.path);
    assert.is(await send(system, write, key.toUpperCase()), first, write.path);
  }
  assert.is(await look(), before);
});

Repeated("at two gateways concurrently are made once, and get the same answer", async () => {
  for (const write of await eachWrite()) {
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 4 }, (_, i) => send(i % 2 ? system : other, write, key)));
    assert.is(new Set(replies).size, 1, replies.join("\n"));
    assert.match(replies[0] ?? "", /^200 /);
  }
  const { results } = await system.clients.social.socialTimelines({ screenName: ann.name });
  assert.equal(results.map(({ text }) => text).toSorted(), [`RT @${bea.name}: seed`, "once"]);
  const [shown] = (await system.clients.social.socialUsers({ userIds: [ann.id] })).results;
  assert.equal([shown?.statusesCount, shown?.friendsCount, shown?.favouritesCount], [2, 1, 1]);
});

Repeated.run();
