import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { strongHashes } from "../support/launch.ts";
import { freePort } from "../support/listen.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { rpcs } from "../support/rpcs.ts";
import { scrape } from "../support/scrape.ts";
import { suite } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";

const Metrics = suite("metrics of the whole system");
const redis = await startTestRedisFor("metrics, with Redis");
const ports = { gateway: await freePort(), account: await freePort(), social: await freePort() };
const system = useSystem(Metrics, {
  GATEWAY_ADMIN_PORT: `${ports.gateway}`,
  ACCOUNT_ADMIN_PORT: `${ports.account}`,
  SOCIAL_ADMIN_PORT: `${ports.social}`,
  ...strongHashes,
  RATE_LIMITS: "on",
  REGISTRATIONS_PER_ADDRESS: "0",
  REGISTRATIONS_PER_NAME: "2",
  MAX_CONCURRENT_REQUESTS: "20",
  ...(redis && { REDIS_URL: redis.url, REDIS_TIMEOUT_MS: "10000" }),
});
Metrics.after(async () => redis?.stop());

const metricsOf = (name: keyof typeof ports) => scrape(`http://127.0.0.1:${ports[name]}`);

/** By how much samples of a process grow during this work. */
async function growth(name: keyof typeof ports, samples: readonly string[], work: () => Promise<unknown>) {
  const before = await metricsOf(name);
  await work();
  // A request is counted a moment after the client has its reply.
  let after = await metricsOf(name);
  await eventually("the counters do not change any more", async () => {
    const last = after;
    after = await metricsOf(name);
    return samples.every((sample) => last.value(sample) === after.value(sample));
  });
  return samples.map((sample) => after.value(sample) - before.value(sample));
}

const get = async (path: string, init?: RequestInit) => {
  const response = await fetch(system.url + path, init);
  await response.arrayBuffer();
  return response.status;
};
const register = (userName: string) =>
  get("/register", { method: "POST", body: JSON.stringify({ userName, password: "correct horse" }) });

const requests = (operation: string, status: number) =>
  `roost_requests_total{operation="${operation}",status="${status}"}`;
const lookups = (layer: string, result: string) => `roost_cache_lookups_total{layer="${layer}",result="${result}"}`;

Metrics("count requests by operation and status, on the fast path and by the router", async () => {
  await register("ann");
  const samples = [
    requests("SocialUsers", 200),
    requests("SocialUsers", 304),
    requests("SocialUsers", 400),
    requests("Registration", 200),
    requests("Registration", 400),
    requests("none", 404),
    requests("none", 405),
    'roost_request_duration_seconds_count{operation="SocialUsers"}',
    'roost_request_duration_seconds_bucket{operation="SocialUsers",le="+Inf"}',
  ];
  const grown = await growth("gateway", samples, async () => {
    const etag = (await fetch(`${system.url}/social/ann`)).headers.get("etag") ?? "";
    for (let round = 0; round < 4; round++) await get("/social/ann");
    for (let round = 0; round < 3; round++) await get("/social/ann", { headers: { "if-none-match": etag } });
    // With JSONP the status is always 200.
    await get("/social/ids/many?callback=show");
    await register("bob");
    await register("-");
    await get("/no/such/path");
    await get("/json/reply/NoSuchOperation");
  });
  assert.equal(grown, [5, 3, 1, 1, 1, 1, 1, 9, 9]);
});

Metrics("have no labels with values of clients", async () => {
  const word = "m4deup";
  await get(`/${word}`);
  await get(`/json/reply/${word}`, { method: "REPORT", headers: { "x-forwarded-for": word, host: word } });
  await get(`/social/${word}/timelines?${word}=${word}&callback=${word}`);
  await register(word);
  const { lines } = await metricsOf("gateway");
  const operations = new Set(lines.flatMap((line) => /operation="(.*?)"/.exec(line)?.[1] ?? []));
  assert.equal([...operations].toSorted(), ["Registration", "SocialTimelines", "SocialUsers", "none"]);
  const known = rpcs.map(({ parent, name }) => `${parent.typeName}/${name}`);
  for (const name of ["gateway", "account", "social"] as const) {
    const { lines } = await metricsOf(name);
    assert.not.match(lines.join("\n"), word);
    const labels = lines.flatMap((line) => /rpc="(.*?)"/.exec(line)?.[1] ?? []);
    assert.ok(labels.length > 10);
    const wrong = labels.filter((rpc) => !known.includes(rpc));
    assert.equal(wrong, []);
  }
});

Metrics("count hits and misses of each layer of the cache", async () => {
  await register("layer");
  // A registration is answered without its profile where the social service is too slow.
  await eventually("the profile is there", async () => {
    const { results } = await system.clients.social.socialUsers({ screenNames: ["layer"] });
    return results.length === 1;
  });
  const layers = [lookups("process", "hit"), lookups("service", "made"), lookups("redis", "miss")];
  const six = await growth("gateway", layers, async () => {
    for (let round = 0; round < 6; round++) await get("/social/layer");
  });
  assert.equal(six, [5, 1, redis ? 1 : 0]);
  assert.equal((await growth("gateway", layers, () => get("/social/layer,ann"))).slice(0, 2), [0, 1]);
});

Metrics("count RPCs by name and code, on both sides", async () => {
  const code = (rpc: string, code: string) => `{rpc="account.v1.AccountService/${rpc}",code="${code}"}`;
  const made = ["OK", "InvalidArgument"].map((one) => `roost_calls_total${code("Registration", one)}`);
  const served = ["OK", "InvalidArgument"].map((one) => `roost_rpcs_total${code("Registration", one)}`);
  const registering =
    (...names: string[]) =>
    async () => {
      for (const name of names) await register(name);
    };
  assert.equal(await growth("gateway", made, registering("carl", "dora", "?")), [2, 1]);
  assert.equal(await growth("account", served, registering("emma", "!")), [1, 1]);
  const social = await metricsOf("social");
  assert.ok(social.value('roost_rpcs_total{rpc="social.v1.ProfileService/CreateProfiles",code="OK"}') >= 3);
  assert.ok(social.value('roost_rpc_duration_seconds_sum{rpc="social.v1.ProfileService/CreateProfiles"}') > 0);
});

Metrics("count refused requests, by the limit that refused them", async () => {
  const limit = ['roost_refusals_total{reason="registration:name"}', 'roost_refusals_total{reason="sign-in:name"}'];
  const limited = await growth("account", limit, async () => {
    for (let round = 0; round < 5; round++) await register("greedy");
  });
  assert.equal(limited, [3, 0]);
  const shed = async () => (await metricsOf("gateway")).value('roost_refusals_total{reason="load"}');
  const before = await shed();
  // On a busy machine the requests of one round may come one after the other.
  await eventually("requests are refused under load", async () => {
    await Promise.all(Array.from({ length: 35 }, () => register(`c${randomUUID().slice(0, 8)}`)));
    return (await shed()) > before;
  });
});

Metrics("show the size of pools and queues", async () => {
  for (const name of ["account", "social"] as const) {
    const { value } = await metricsOf(name);
    const total = value('roost_pool_connections{state="total"}');
    assert.ok(total > 0 && value('roost_pool_connections{state="idle"}') <= total, name);
  }
  for (const [name, line] of [
    ["account", 'roost_hash_queue_turns{state="waiting"} 0'],
    ["social", 'roost_write_queue_turns{state="running"} 0'],
    ["gateway", 'roost_requests_under_way{state="running"} 0'],
  ] as const)
    await eventually(line, async () => (await metricsOf(name)).lines.includes(line));
});

Metrics("show the age of the oldest outbox job, and omit it when it is unknown", async () => {
  const oldest = 'roost_outbox_age_seconds{job="oldest"}';
  const jobs = async () => (await metricsOf("account")).value('roost_outbox_jobs{state="all"}');
  await eventually("all jobs are done", async () => (await metricsOf("account")).value(oldest) === 0, 60);
  const failed = 'roost_outbox_attempts_total{result="failed"}';
  await system.stopSocial();
  assert.is(await register("owed"), 200);
  await eventually("an attempt has failed", async () => (await metricsOf("account")).value(failed) > 0, 30);
  assert.ok((await jobs()) >= 1);
  await system.startSocial();
  await eventually("no jobs are left", async () => (await jobs()) === 0, 60);
  assert.ok((await metricsOf("account")).value('roost_outbox_attempts_total{result="done"}') >= 1);
  await system.database.query("select from account_jobs.add_job('no-such-task', run_at => now() - interval '1 hour')");
  const age = (await metricsOf("account")).value(oldest);
  assert.ok(age >= 3_600 && age < 3_700, `${age}`);
  await system.database.query("select account_jobs.remove_job(key) from account_jobs.jobs");
  await system.database.whileUnavailable("account", async () => {
    const { lines } = await metricsOf("account");
    const wrong = lines.filter((line) => line.startsWith("roost_outbox_age"));
    assert.equal(wrong, []);
  });
});

Metrics.run();
