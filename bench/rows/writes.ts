import { randomBytes, randomUUID } from "node:crypto";
import { createClient } from "@connectrpc/connect";
import { hash } from "@node-rs/argon2";
import { PeopleService } from "../../proto/gen/social/people/v1/people_service_pb.ts";
import { loadConfig } from "../../services/account/config.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { runAtOnce } from "../load/at-once.ts";
import type { Row } from "../row.ts";
import type { SystemKind } from "../side.ts";
import { registerViewer, type Viewer } from "./targets.ts";

/** Its passwords are hashed as in production. More of them wait than users would: to be measured, and not refused. */
export const empty: SystemKind = { hasDataset: false, settings: { PASSWORD_QUEUE_MS: "60000" } };

/** How many clients write at the same time. */
const writers = 32;

/** Registrations through the gateway, in turns with as many bare hashes. */
export const registration: Row = {
  name: "registration",
  title: `registration, ${writers} at once`,
  unit: "of the bare argon2id hash",
  floor: { atLeast: 0.85 },
  async prepare(side, { seconds }) {
    const { url } = await side.system(empty);
    const amount = { seconds: 2 * seconds };
    // The processes compile what they run often, and a registration is rare.
    await runAtOnce(writers, { seconds: 5 * seconds }, () => registerViewer(url));
    return async () => {
      const hashes = await runAtOnce(writers, amount, hashPassword);
      const { perSecond, p99 } = await runAtOnce(writers, amount, () => registerViewer(url));
      return { value: perSecond / hashes.perSecond, perSecond, p99, p99Ratio: p99 / hashes.p99 };
    };
  },
};

const { memory, passes } = loadConfig({ ACCOUNT_DATABASE_URL: "postgres://unused" }).passwords;

/** As services/account/hashing/passwords.ts does, with nothing around it. */
function hashPassword(): Promise<string> {
  return hash(randomBytes(12).toString("base64"), { memoryCost: memory, timeCost: passes, parallelism: 1 });
}

/** Statuses of 200 authors, each durable when it is acknowledged. The load calls the social service, as the gateway does. */
export const publication: Row = {
  name: "publication",
  title: `publication, ${writers} writers`,
  unit: "statuses/s",
  floor: { atLeast: 1_500 },
  async prepare(side, { seconds, defer }) {
    const system = await side.system(empty);
    const authors: Viewer[] = [];
    await runAtOnce(writers, { count: 200 }, async () => authors.push(await registerViewer(system.url)));
    const { transport, close } = createServiceTransport({ baseUrl: system.socialUrl, caller: "bench" });
    defer(close);
    const people = createClient(PeopleService, transport);
    const publish = (index: number) => {
      const { userId } = authors[index % authors.length] as Viewer;
      const status = { requestId: randomUUID(), userId, text: `status ${index} with a #hashtag` };
      return people.publishStatus(status, { headers: { "roost-viewer": `${userId}` } });
    };
    // The first thousands cost twice as much: V8 compiles only what has run often.
    await runAtOnce(writers, { seconds: 2 * seconds }, publish);
    return async () => {
      const before = system.processorSeconds();
      const { requests, perSecond, p99 } = await runAtOnce(writers, { seconds }, publish);
      const used = (system.processorSeconds() ?? Number.NaN) - (before ?? Number.NaN);
      return { value: perSecond, p99, processorMs: (used * 1_000) / requests };
    };
  },
};
