import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ConnectError, createClient } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import type { Supervised } from "../../services/local/supervise.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { createProfiles, createStatuses } from "../support/by-id.ts";
import { eventually } from "../support/eventually.ts";
import { launchSupervised, type Role } from "../support/launch.ts";
import { freePort } from "../support/listen.ts";
import { isLong } from "../support/long.ts";
import { pick } from "../support/pick.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { actingTransport } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { createAsker } from "./ask.ts";

const Rolling = suite("rolling restart");
/** Two gateways, each with its own social service, and one account service, as on several machines. */
const gateways: Replica[] = [];
const socials: Replica[] = [];
/** The messages of the supervisor, such as `social-1 ended (0) …`. */
const said: string[] = [];
/** What is stopped at the end, the last one first. */
const stops: (() => Promise<unknown>)[] = [];

interface Replica {
  name: string;
  url: string;
  process: Supervised;
  /** What a balancer knows, which checks each replica again and again. */
  isReady: boolean;
}

Rolling.before(async () => {
  const folder = mkdtempSync(join(tmpdir(), "roost-replicas-"));
  stops.push(async () => rmSync(folder, { recursive: true, force: true }));
  const database = await createTestDatabase();
  stops.push(() => database.drop());
  const start = async (role: Role, name: string, settings: NodeJS.ProcessEnv): Promise<Replica> => {
    // A restarted process has the same port. Draining takes much longer than this balancer needs on a busy machine.
    const common = { [`${role.toUpperCase()}_PORT`]: `${await freePort()}`, DRAIN_MS: "1500" };
    const say = (line: string) => void said.push(line);
    const process = await launchSupervised(role, name, { ...common, ...settings }, { logs: folder, say });
    stops.push(() => process.stop());
    return { name, url: process.url, process, isReady: false };
  };
  for (const name of ["social-0", "social-1"]) {
    socials.push(await start("social", name, { SOCIAL_DATABASE_URL: database.social }));
  }
  const [{ url }] = socials as [Replica];
  const account = await start("account", "account", { ACCOUNT_DATABASE_URL: database.account, SOCIAL_URL: url });
  for (const [index, social] of socials.entries()) {
    const services = { ACCOUNT_URL: account.url, SOCIAL_URL: social.url };
    gateways.push(await start("gateway", `gateway-${index}`, services));
  }
});
Rolling.after(async () => {
  for (const stop of stops.reverse()) await stop();
});

Rolling("fails no request of clients that use ready processes and repeat nothing", async () => {
  const services = new Map(socials.map(({ url }) => [url, connect(url)]));
  const service = ({ url }: Replica) => services.get(url) as ReturnType<typeof connect>;
  const askers = new Map(gateways.map(({ url }) => [url, createAsker(url)]));
  const get = async ({ url }: Replica, path: string) => (await askers.get(url)?.get(path))?.status;
  const failed: string[] = [];
  let served = 0;
  const note = (what: string, isGood: boolean) => {
    if (isGood) served += 1;
    else failed.push(what);
  };
  const read = async () => {
    const gateway = await ready(gateways);
    const status = await get(gateway, "/social/ann/timelines?take=5");
    note(`${status} from ${gateway.name}`, status === 200);
  };
  const publish = async () => {
    const social = await ready(socials);
    const request = { requestId: randomUUID(), authorId: 1n, text: "still here" };
    const fault = await service(social)
      .statuses.publishStatus(request)
      .then(() => undefined, ConnectError.from);
    note(`${fault?.message} from ${social.name}`, fault === undefined);
  };

  const over = new AbortController();
  const repeat = async (act: () => Promise<void>, pauseMs: number) => {
    while (!over.signal.aborted) {
      await act();
      await sleep(pauseMs * (1 + Math.random()));
    }
  };
  const checks = [
    ...gateways.map((gateway) => () => check(gateway, async () => (await get(gateway, "/readyz")) === 200)),
    ...socials.map((social) => () => check(social, () => service(social).isServing())),
  ].map((look) => repeat(look, 100));
  const createdAt = timestampFromDate(new Date());
  await service(await ready(socials)).profiles.createProfile({ userId: 1n, screenName: "ann", name: "Ann", createdAt });
  const load = [read, read, read, publish, publish].map((act) => repeat(act, 200));
  try {
    for (const replica of [...socials, ...gateways]) await restart(replica);
  } finally {
    over.abort();
    await Promise.all([...load, ...checks]);
    for (const { close } of [...services.values(), ...askers.values()]) close();
  }
  assert.equal(failed, []);
  assert.ok(served > 100, `${served} were served`);
  // Each ended once with code 0, and none ended because of another one.
  const ends = said.flatMap((line) => /^(\S+ ended \(\w+\))/.exec(line)?.[1] ?? []);
  assert.equal(ends.toSorted(), [...gateways, ...socials].map(({ name }) => `${name} ended (0)`).toSorted());
});

// In the long form only: the starts of processes cost as much as ten other files.
if (isLong) Rolling.run();

/** Checks a replica. A rejection, or no answer within a second, counts as not ready. */
async function check(replica: Replica, look: () => Promise<boolean>): Promise<void> {
  const late = sleep(1_000, false, { ref: false });
  replica.isReady = await Promise.race([look().catch(() => false), late]);
}

/** A ready replica, at random. Throws when there is none for 5 s: then a rolling restart has stopped too many. */
async function ready(replicas: readonly Replica[]): Promise<Replica> {
  let chosen: Replica | undefined;
  const choose = async () => (chosen = pick(replicas.filter(({ isReady }) => isReady))) !== undefined;
  await eventually("one is ready", choose, 5);
  return chosen as unknown as Replica;
}

/** Asks a replica to stop, and waits until its successor serves and every gateway is ready again. */
async function restart({ name, process: replica }: Replica): Promise<void> {
  const before = replica.pid() as number;
  process.kill(before, "SIGTERM");
  await eventually(`${name}'s end`, async () => replica.pid() !== before, 12);
  const all = [...gateways, ...socials];
  await eventually(`${name}'s return`, async () => replica.pid() !== undefined && all.every(({ isReady }) => isReady));
}

function connect(baseUrl: string) {
  const { transport, close } = createServiceTransport({ baseUrl, caller: "test" });
  const health = createClient(Health, transport);
  const acting = actingTransport(transport);
  return {
    isServing: async () => (await health.check({}, { timeoutMs: 1_000 })).status === Status.SERVING,
    profiles: createProfiles(acting),
    statuses: createStatuses(acting),
    close,
  };
}
