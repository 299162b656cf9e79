import { toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { UserError } from "../../cli/errors.ts";
import type { JsonObject } from "../../cli/json/json.ts";
import { ImportStatusesRequestSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { suite } from "../support/suite.ts";
import { importItems } from "./import-run.ts";
import { recordingServices } from "./recording-services.ts";
import { twitterStatus, twitterUser } from "./samples.ts";

const Calls = suite("cli: calls of an import");

Calls("carry at most 500 items", async () => {
  const statuses = Array.from({ length: 1001 }, (_, n) => twitterStatus(`${n + 1}`, { user: twitterUser(`${n + 1}`) }));
  const { calls } = await importItems(statuses);
  const sizes = calls.map((call) => {
    if (call.method === "ClaimAccounts") return call.request.claims.length;
    return call.method === "ImportProfiles" ? call.request.profiles.length : call.request.statuses.length;
  });
  assert.equal(sizes, [500, 500, 500, 500, 1, 1, 500, 500, 1]);
});

Calls(
  "are three at a time, unless the later one answers a status of an earlier one or has its author and second",
  async () => {
    const maxConcurrent = async (fields: (n: number) => JsonObject) => {
      let running = 0;
      let max = 0;
      const services = recordingServices();
      const { importStatuses } = services.clients.imports;
      const slow: typeof importStatuses = async (...call) => {
        max = Math.max(max, ++running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return importStatuses(...call).finally(() => running--);
      };
      const items = Array.from({ length: 2_001 }, (_, index) => twitterStatus(`${index + 1}`, fields(index + 1)));
      const clients = { ...services.clients, imports: { ...services.clients.imports, importStatuses: slow } };
      await importItems(items, { ...services, clients });
      const ids = items.map((_, index) => `${index + 1}`);
      assert.equal(services.statusIds(), ids);
      return max;
    };
    const byAuthor = (n: number) => ({ user: twitterUser(`${n}`) });
    const inReplyTo = (n: number, back: number) => ({ in_reply_to_status_id: n > back ? n - back : null });
    assert.is(await maxConcurrent(byAuthor), 3);
    assert.is(await maxConcurrent((n) => ({ ...byAuthor(n), ...inReplyTo(n, 1_000) })), 2);
    assert.is(await maxConcurrent((n) => ({ ...byAuthor(n), ...inReplyTo(n, 500) })), 1);
    assert.is(await maxConcurrent(() => ({})), 1);
  },
);

Calls("contain the statuses of an author together, each after the statuses that it replies to", async () => {
  // The authors take turns. Status 601 answers 600, of another author, and those of its author after it follow it.
  const items = Array.from({ length: 1_200 }, (_, index) => {
    const answers = index === 600 ? { in_reply_to_status_id: 600 } : {};
    return twitterStatus(`${index + 1}`, { user: twitterUser(`${1 + (index % 4)}`), ...answers });
  });
  const { calls } = await importItems(items);
  const ofAuthor = (author: number, from: number, to: number) =>
    items.map((_, index) => index).filter((index) => index % 4 === author && index >= from && index < to);
  const batches = calls.flatMap(({ method, request }) =>
    method === "ImportStatuses" ? [request.statuses.map(({ originId }) => Number(originId) - 1)] : [],
  );
  assert.equal(batches, [
    [...ofAuthor(0, 0, 600), ...ofAuthor(1, 0, 1_200)],
    ofAuthor(2, 0, 1_200),
    [...ofAuthor(3, 0, 1_200), ...ofAuthor(0, 600, 1_200)],
  ]);
});

Calls("end when one fails, except those that are under way", async () => {
  let sent = 0;
  const before = (method: string) => {
    if (method === "ImportStatuses" && ++sent === 1) throw new ConnectError("no", Code.InvalidArgument);
  };
  const items = Array.from({ length: 2_000 }, (_, n) => twitterStatus(`${n + 1}`, { user: twitterUser(`${n + 1}`) }));
  await failureOf(items, recordingServices({ before }));
  assert.is(sent, 3);
});

Calls("carry at most about 1 MiB, with all items once and in order", async () => {
  const statuses = Array.from({ length: 40 }, (_, n) => twitterStatus(`${n + 1}`, { text: "ä".repeat(50_000) }));
  const { statusIds, calls } = await importItems(statuses);
  const sizes = calls.flatMap((call) =>
    call.method === "ImportStatuses" ? [toBinary(ImportStatusesRequestSchema, call.request).length] : [],
  );
  assert.is(sizes.length, 4);
  assert.ok(Math.max(...sizes) < 1024 * 1024 + 1024, `${sizes}`);
  const ids = statuses.map((_, n) => `${n + 1}`);
  assert.equal(statusIds(), ids);
});

Calls("are repeated at growing intervals while a service is unavailable", async () => {
  const pauses: number[] = [];
  const before = (_: string, nth: number) => {
    if (nth <= 5) throw new ConnectError("away", nth % 2 ? Code.Unavailable : Code.Aborted);
  };
  const services = recordingServices({ before }, async (ms) => pauses.push(ms));
  const { summary } = await importItems([twitterStatus("10")], services);
  assert.is(summary.total.added, 2);
  assert.is(pauses.length, 5);
  assert.ok(pauses.every((pause, n) => n === 0 || pause > (pauses[n - 1] ?? 0)));
});

for (const [title, failing, code, tries] of [
  ["stop the import with a message after five repetitions", "ImportProfiles", Code.Unavailable, 6],
  ["are not repeated when the service refuses them", "ClaimAccounts", Code.Unauthenticated, 1],
] as const) {
  Calls(title, async () => {
    let tried = 0;
    const before = (method: string) => {
      if (method !== failing) return;
      tried++;
      throw new ConnectError("Not today.", code);
    };
    const { message } = await failureOf([twitterStatus("10")], recordingServices({ before }));
    assert.equal([message, tried], [`${failing} failed: [${Code[code].toLowerCase()}] Not today.`, tries]);
  });
}

Calls("stop the import when a reply has fewer results than items", async () => {
  const services = recordingServices();
  const account = { claimAccounts: async () => ({ results: [] }) } as unknown as typeof services.clients.account;
  const failure = await failureOf([twitterStatus("10")], { ...services, clients: { ...services.clients, account } });
  assert.match(failure.message, /^ClaimAccounts answered 0 results for 1 items\./);
});

Calls.run();

/** The error for people with which an import stops. */
async function failureOf(items: JsonObject[], services: ReturnType<typeof recordingServices>): Promise<Error> {
  const failure = await importItems(items, services).then(
    () => assert.unreachable("the import went through"),
    (error: unknown) => error,
  );
  assert.instance(failure, UserError);
  return failure as UserError;
}
