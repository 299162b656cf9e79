import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createServiceTransport, type ServiceTransport } from "../../../services/platform/connect/client.ts";
import { createProfiles, type Statuses } from "../../support/by-id.ts";

/** Users of a run, each with a profile. */
export type People = { id: bigint; name: string }[];

/** A transport for load, with a deadline as long as a service allows. */
export function connect(baseUrl: string): ServiceTransport {
  return createServiceTransport({ baseUrl, caller: "churn", deadlineMs: 60_000 });
}

/** Call options that name the user for whom a call is made. */
export function asUser(id: bigint): { headers: Record<string, string> } {
  return { headers: { "roost-viewer": id.toString() } };
}

/**
 * Repeats a call up to 20 times while the service is too busy: reads, and writes with a request id. Other errors are not
 * repeated: a write that was abandoned after conflicts (Aborted) should be seen.
 * @param codes the errors to repeat after
 */
export async function callWithRetries<T>(
  call: () => Promise<T>,
  codes: readonly Code[] = [Code.Unavailable],
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!codes.includes(ConnectError.from(error).code) || attempt === 20) throw error;
      await sleep(100);
    }
  }
}

/** Creates profiles with ids and names that no other run uses. */
export async function createPeople(transport: Transport, count: number): Promise<People> {
  const profiles = createProfiles(transport);
  const first = randomInt(2 ** 47) + 1;
  const people = Array.from({ length: count }, (_, index) => ({
    id: BigInt(first + index),
    name: `p${(first + index).toString(36)}`,
  }));
  for (const { id, name } of people) {
    const createdAt = { seconds: 1_500_000_000n };
    await profiles.createProfile({ userId: id, screenName: name, name, createdAt });
  }
  return people;
}

/** Publishes statuses in 32 calls at once, for each of these users in turn; resolves with author and id of each. */
export async function publishStatuses(client: Statuses, people: People, count: number): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (next < count) {
        const index = next++;
        const author = people[index % people.length] as People[number];
        const request = { requestId: randomUUID(), authorId: author.id, text: `status ${index} with a #hashtag` };
        const { status } = await callWithRetries(() => client.publishStatus(request, asUser(author.id)), busy);
        ids.push(`${author.id}:${status?.id}`);
      }
    }),
  );
  return ids;
}

/** Writers for one author wait for each other; on a busy machine longer than the service allows. */
const busy = [Code.Unavailable, Code.Aborted];
