import { randomUUID } from "node:crypto";
import { type Client, Code } from "@connectrpc/connect";
import type { StatusService } from "../proto/gen/social/v1/status_service_pb.ts";
import { asUser, callWithRetries } from "./connect.ts";
import type { People } from "./people.ts";

/** How many calls publish at the same time. */
export const writers = 32;

/** Writers for one author wait for each other; on a busy machine longer than the service allows. */
const busy = [Code.Unavailable, Code.Aborted];

/** Publishes statuses, for each of these users in turn; resolves with author and id of each. */
export async function publishStatuses(
  client: Client<typeof StatusService>,
  people: People,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: writers }, async () => {
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
