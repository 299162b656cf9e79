import type { DescMethod, Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import fc from "fast-check";
import * as assert from "uvu/assert";
import { createServiceTransport, type ServiceTransport } from "../../services/platform/connect/client.ts";
import { times } from "../support/long.ts";
import { importedAccount, publish, registerSignedIn } from "../support/people.ts";
import { type Known, randomMessages } from "../support/random-messages.ts";
import { callRpc, rpcs } from "../support/rpcs.ts";
import { actingTransport, useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Hostile = suite("hostile messages");
/** The number of messages to each RPC; HOSTILE_MESSAGES=10000 for a long run. */
const messagesPerRpc = Number(process.env.HOSTILE_MESSAGES ?? times(8, 100));
/** The number of messages that are made at once, and then sent a few at a time. */
const atOnce = 250;
const lanes = 4;

const services = useServices(Hostile);
let account: ServiceTransport;
let social: ServiceTransport;
let known: Known;

Hostile.before(async () => {
  account = createServiceTransport({ baseUrl: services.accountUrl, caller: "test" });
  social = createServiceTransport({ baseUrl: services.socialUrl, caller: "test" });
  known = await populate();
});
Hostile.after(async () => {
  account.close();
  social.close();
});

// RPCs that delete are last, so that the others find data.
const isDeleting = (method: DescMethod) => Number(/^(Delete|Undo)/.test(method.name));
for (const method of rpcs.toSorted((a, b) => isDeleting(a) - isDeleting(b))) {
  const title = `${method.parent.typeName}/${method.name}`;
  Hostile(`${title} answers or refuses random messages without a defect`, async () => {
    const call = callerOf(method);
    for (let sent = 0; sent < messagesPerRpc; sent += atOnce) {
      const numRuns = Math.min(atOnce, messagesPerRpc - sent);
      const messages = fc.sample(randomMessages(method.input, known), { seed: 20_261_121 + sent, numRuns });
      const next = messages.values();
      await Promise.all(
        Array.from({ length: lanes }, async () => {
          for (const message of next) {
            const outcome = await outcomeOf(() => call(message));
            if (outcome === "Internal" || outcome === "Unknown") assert.unreachable(defectOf(message));
          }
        }),
      );
    }
  });
}

Hostile.run();

/** Two users, an imported one without a password, statuses, sessions, and counters at their maximum. */
async function populate(): Promise<Known> {
  const { clients, database } = services;
  const [users, statuses, sessions] = [[1n], [1n], ["unknown"]];
  for (const userName of ["ann", "bea"]) {
    const email = `${userName}@example.org`;
    const { userId, sessionId } = await registerSignedIn(services, userName, { email });
    users.push(userId);
    sessions.push(sessionId);
    statuses.push((await publish(services, userId)).id);
  }
  users.push(await importedAccount(clients.account, "1"));
  await database.query(
    `update social.profile set statuses_count = 2147483647, followers_count = 2147483647, friends_count = 2147483647,
                               favourites_count = 2147483647`,
  );
  return { users, statuses, sessions };
}

/** Sends messages, each as the user whom it names; streams need HTTP/2. */
function callerOf(method: DescMethod): (message: Message) => Promise<unknown> {
  const isAccounts = method.parent.typeName.startsWith("account.");
  const unary = actingTransport((isAccounts ? account : social).transport);
  const streaming = createGrpcTransport({ baseUrl: isAccounts ? services.accountUrl : services.socialUrl });
  return (message) => callRpc(method.methodKind === "unary" ? unary : streaming, method, message);
}

function outcomeOf(call: () => Promise<unknown>): Promise<string> {
  return call().then(
    () => "answered",
    (reason: unknown) => Code[ConnectError.from(reason).code] as string,
  );
}

function defectOf(message: Message): string {
  const defect = services.logged.findLast((line) => line.msg === "defect");
  const shown = JSON.stringify(message, (_key, value) => (typeof value === "bigint" ? `${value}` : value));
  return `${shown}\n${JSON.stringify(defect?.err)}`;
}
