import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ConnectError, createClient } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { ProfileService } from "../../proto/gen/social/v1/profile_service_pb.ts";
import type { Supervised } from "../../services/local/supervise.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { createStatuses } from "../support/by-id.ts";
import { eventually } from "../support/eventually.ts";
import { launchSupervised, type Role } from "../support/launch.ts";
import { freePort } from "../support/listen.ts";
import { isLong } from "../support/long.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { actingTransport } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { type Asker, createAsker } from "./ask.ts";

/** Checks again and again which of several addresses are ready, like a balancer. */
interface Balancer {
  isReady(url: string): boolean;
  /** A ready address, at random. Throws when there is none for 5 s: then a rolling restart has stopped too many. */
  pick(): Promise<string>;
  stop(): Promise<void>;
}

/** Milliseconds between two checks of an address. */
const lookPause = 150;

/** @param look whether an address is ready; a rejection, or no answer within a second, counts as not ready */
function startBalancer(urls: readonly string[], look: (url: string) => Promise<boolean>): Balancer {
  const ready = new Set<string>();
  let isOver = false;
  const loops = urls.map(async (url) => {
    while (!isOver) {
      const late = sleep(1_000, false, { ref: false });
      if (await Promise.race([look(url).catch(() => false), late])) ready.add(url);
      else ready.delete(url);
      await sleep(lookPause);
    }
  });
  return {
    isReady: (url) => ready.has(url),
    async pick() {
      for (let attempt = 0; attempt < 100; attempt++) {
        const all = [...ready];
        const url = all[Math.floor(Math.random() * all.length)];
        if (url !== undefined) return url;
        await sleep(50);
      }
      throw new Error("none is ready");
    },
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

const Rolling = suite("rolling restart");
/** Milliseconds; much longer than the balancer of this test needs on a busy machine. */
const drainMs = 1_500;
let replicas: Replicas;

Rolling.before(async () => {
  replicas = await startReplicas({ DRAIN_MS: `${drainMs}` });
});
Rolling.after(() => replicas.stop());

Rolling("fails no request of clients that use ready processes and repeat nothing", async () => {
  const { gateways, socials, said } = replicas;
  const services = new Map(socials.map(({ url }) => [url, connect(url)]));
  const askers = new Map(gateways.map(({ url }) => [url, createAsker(url)]));
  const toGateway = startBalancer([...askers.keys()], async (url) => (await asker(url).get("/readyz")).status === 200);
  const toSocial = startBalancer([...services.keys()], async (url) => {
    const { status } = await service(url).health.check({}, { timeoutMs: 1_000 });
    return status === Status.SERVING;
  });
  const service = (url: string) => services.get(url) as Service;
  const asker = (url: string) => askers.get(url) as Asker;
  const failed: string[] = [];
  let served = 0;
  const note = (what: string, isGood: boolean) => {
    if (isGood) served += 1;
    else failed.push(what);
  };
  await service(await toSocial.pick()).profiles.createProfile({
    userId: 1n,
    screenName: "ann",
    name: "Ann",
    createdAt: timestampFromDate(new Date()),
  });

  const over = new AbortController();
  const read = async () => {
    const url = await toGateway.pick();
    const { status } = await asker(url).get("/social/ann/timelines?take=5");
    note(`${status} from ${url}`, status === 200);
  };
  const publish = async () => {
    const url = await toSocial.pick();
    const request = { requestId: randomUUID(), authorId: 1n, text: "still here" };
    const fault = await service(url)
      .statuses.publishStatus(request)
      .then(() => undefined, ConnectError.from);
    note(`${fault?.message} from ${url}`, fault === undefined);
  };
  const load = [read, read, read, publish, publish].map(async (act) => {
    while (!over.signal.aborted) {
      await act();
      await sleep(200 + Math.random() * 200);
    }
  });
  try {
    for (const replica of [...socials, ...gateways]) await restart(replica, [toGateway, toSocial]);
  } finally {
    over.abort();
    await Promise.all(load);
    await Promise.all([toGateway.stop(), toSocial.stop()]);
    for (const { close } of services.values()) close();
    for (const { close } of askers.values()) close();
  }
  assert.equal(failed, []);
  assert.ok(served > 100, `${served} were served`);
  // Each ended once with code 0, and none ended because of another one.
  const ends = said.flatMap((line) => /^(\S+ ended \(\w+\))/.exec(line)?.[1] ?? []);
  assert.equal(ends.toSorted(), [...gateways, ...socials].map(({ name }) => `${name} ended (0)`).toSorted());
});

// In the long form only: the starts of processes cost as much as ten other files.
if (isLong) Rolling.run();

/** Asks a replica to stop, and waits until its successor serves and every gateway is ready again. */
async function restart({ name, process: replica }: Replica, balancers: readonly Balancer[]): Promise<void> {
  const before = replica.pid() as number;
  process.kill(before, "SIGTERM");
  await eventually(`${name}'s end`, async () => replica.pid() !== before, 12);
  const { gateways, socials } = replicas;
  const isReady = (url: string) => balancers.some((balancer) => balancer.isReady(url));
  const all = [...gateways, ...socials];
  await eventually(`${name}'s return`, async () => replica.pid() !== undefined && all.every(({ url }) => isReady(url)));
}

type Service = ReturnType<typeof connect>;

function connect(baseUrl: string) {
  const { transport, close } = createServiceTransport({ baseUrl, caller: "test" });
  const acting = actingTransport(transport);
  return {
    health: createClient(Health, transport),
    profiles: createClient(ProfileService, transport),
    statuses: createStatuses(acting),
    close,
  };
}

interface Replica {
  name: string;
  url: string;
  process: Supervised;
}

/** Two gateways, each with its own social service, and one account service, as on several machines. */
interface Replicas {
  gateways: readonly Replica[];
  socials: readonly Replica[];
  /** Messages of the supervisor, such as `social-1 ended (0) …`. */
  said: readonly string[];
  stop(): Promise<void>;
}

async function startReplicas(settings: NodeJS.ProcessEnv): Promise<Replicas> {
  const folder = mkdtempSync(join(tmpdir(), "roost-replicas-"));
  const database = await createTestDatabase();
  const said: string[] = [];
  const started: Replica[] = [];
  const say = (line: string) => void said.push(line);
  const start = async (role: Role, name: string, environment: NodeJS.ProcessEnv): Promise<Replica> => {
    // A restarted process has the same port.
    const port = { [`${role.toUpperCase()}_PORT`]: `${await freePort()}` };
    const running = await launchSupervised(role, name, { ...port, ...settings, ...environment }, { logs: folder, say });
    const replica = { name, url: running.url, process: running };
    started.push(replica);
    return replica;
  };
  const stop = async () => {
    for (const { process } of started.toReversed()) await process.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  const social = (name: string) => start("social", name, { SOCIAL_DATABASE_URL: database.social });
  const gateway = (name: string, accountUrl: string, socialUrl: string) =>
    start("gateway", name, { ACCOUNT_URL: accountUrl, SOCIAL_URL: socialUrl });
  try {
    const socials = [await social("social-0"), await social("social-1")];
    const account = await start("account", "account", {
      ACCOUNT_DATABASE_URL: database.account,
      SOCIAL_URL: (socials[0] as Replica).url,
    });
    const gateways = await Promise.all(socials.map(({ url }, index) => gateway(`gateway-${index}`, account.url, url)));
    return { gateways, socials, said, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
