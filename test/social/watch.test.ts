import { createClient } from "@connectrpc/connect";
import pg from "pg";
import { WatchService } from "../../proto/gen/social/v1/watch_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { eventually } from "../support/eventually.ts";
import { type Person, person, publish } from "../support/people.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Watch = suite("watch");
let services: TestServices;
let ann: Person;
let bea: Person;
/** How often the newest statuses were asked for. */
let looks = 0;
const query = pg.Client.prototype.query;
const watchers: AbortController[] = [];

Watch.before(async () => {
  pg.Client.prototype.query = function (this: pg.Client, statement: { name?: string }, ...rest: unknown[]) {
    if (statement.name === "list-published") looks++;
    return (query as (...all: unknown[]) => unknown).call(this, statement, ...rest);
  } as typeof query;
  services = await startTestServices();
  [ann, bea] = [await person(services, "ann"), await person(services, "bea")];
});
Watch.after(async () => {
  pg.Client.prototype.query = query;
  await services.stop();
});
Watch.after.each(() => {
  for (const watcher of watchers.splice(0)) watcher.abort();
});

/** Watches, and resolves when the first response has come. Gives the users of all later ones. */
async function watch(): Promise<{ told: bigint[]; ended: Promise<unknown> }> {
  const { transport, close } = createServiceTransport({ baseUrl: services.socialUrl, caller: "test" });
  const left = new AbortController();
  watchers.push(left);
  const told: bigint[] = [];
  let isConnected = false;
  const read = async () => {
    const responses = createClient(WatchService, transport).watch({}, { signal: left.signal, timeoutMs: 60_000 });
    for await (const { authorIds } of responses) {
      isConnected = true;
      told.push(...authorIds);
    }
  };
  const ended = read()
    .catch(() => {})
    .finally(close);
  await eventually("a response", async () => isConnected);
  return { told, ended };
}

Watch("tells every watcher whose statuses were published, deleted or hidden, each time once", async () => {
  const all = [await watch(), await watch()];
  const toldOf = (...users: Person[]) =>
    eventually(`${users.map(({ name }) => name)}`, async () =>
      all.every(({ told }) => `${told}` === `${users.map(({ id }) => id)}`),
    );
  // A watcher may be told of what was published in the second before.
  const { id } = await publish(services, ann);
  await toldOf(ann);
  await publish(services, bea);
  await toldOf(ann, bea);
  await services.clients.people.deleteStatus({ userId: ann.id, id });
  await toldOf(ann, bea, ann);
  await services.clients.moderation.suspend({ userId: bea.id });
  await toldOf(ann, bea, ann, bea);
  await services.clients.moderation.reinstate({ userId: bea.id });
  await toldOf(ann, bea, ann, bea, bea);
});

Watch("asks the database for all watchers together, and only while there are any", async () => {
  const isQuiet = async () => {
    const before = looks;
    await publish(services, ann);
    await publish(services, ann);
    return looks === before;
  };
  await eventually("nobody watches", isQuiet);
  const [first] = [await watch(), await watch(), await watch()];
  await publish(services, ann);
  await eventually("a hint", async () => first.told.length > 0);
  for (const watcher of watchers) watcher.abort();
  await eventually("nobody watches", isQuiet);
});

Watch("ends all calls when the service stops, which does not wait for them", async () => {
  const { ended } = await watch();
  await services.stopSocial();
  await ended;
  await services.startSocial();
  const { told } = await watch();
  await publish(services, ann);
  await eventually("a hint", async () => told.includes(ann.id));
});

Watch.run();
