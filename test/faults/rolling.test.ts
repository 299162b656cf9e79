import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ConnectError, createClient } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { ProfileService } from "../../proto/gen/social/v1/profile_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { actingTransport } from "../support/acting-transport.ts";
import { createStatuses } from "../support/by-id.ts";
import { eventually } from "../support/eventually.ts";
import { isLong } from "../support/long.ts";
import { suite } from "../support/suite.ts";
import { type Asker, createAsker } from "./ask.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { type Replica, type Replicas, startReplicas } from "./replicas.ts";

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
