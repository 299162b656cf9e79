import type { Client } from "@connectrpc/connect";
import type { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { viewerHeader } from "../../services/platform/connect/identity.ts";
import { statusJson } from "./status-json.ts";
import { userJson } from "./user-json.ts";

/**
 * A user's timeline as one JSON list in the shape of API v1.1, newest first, page by page: 200 statuses are in memory at a
 * time. It is read as that user sees it, protected or not. The list of a user without statuses has only the user, so that an import
 * adds the user.
 * @throws UserError when the service cannot be reached.
 */
export async function* exportTimeline(
  social: Client<typeof SocialService>,
  { id, screenName }: { id: bigint; screenName: string },
): AsyncGenerator<{ text: string; statuses: number }> {
  let maxId: bigint | undefined;
  let separator = "[\n";
  for (;;) {
    const request = { screenName, take: 200n, ...(maxId === undefined ? {} : { maxId }) };
    const headers = { [viewerHeader]: id.toString() };
    const { results, author } = await social.socialTimelines(request, { headers });
    if (author === undefined) throw new Error("a timeline without its author");
    const user = userJson(author);
    for (const status of results) {
      yield { text: `${separator}${JSON.stringify(statusJson(status, user))}`, statuses: 1 };
      separator = ",\n";
    }
    const last = results.at(-1);
    if (last === undefined) {
      if (maxId === undefined) yield { text: `${separator}${JSON.stringify(user)}`, statuses: 0 };
      yield { text: "\n]\n", statuses: 0 };
      return;
    }
    maxId = last.id - 1n;
  }
}
