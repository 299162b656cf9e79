import { ProfileResultSchema } from "../../../proto/gen/social/v1/profiles_pb.ts";
import { SocialUsersResponseSchema } from "../../../proto/gen/social/v1/social_service_pb.ts";
import type { PublicProfile } from "../store/profiles/list-public-profiles.ts";
import type { SentField } from "../store/sent-fields.ts";
import { compileSent, wire } from "./sent-message.ts";
import { versionOf } from "./version.ts";

/**
 * Compiles the view of users for anonymous callers: SocialUsersResponse, encoded with each message's fields in the order of their
 * numbers, as the gateway reads them fastest.
 * @param resultFields those before the newest status, and those after the version
 * @param mayRead whether a user's newest status may be shown
 */
export function compilePublicProfiles(
  resultFields: Readonly<Record<"before" | "after", readonly SentField[]>>,
  statusFields: readonly SentField[],
  mayRead: (row: PublicProfile) => boolean,
): (rows: readonly PublicProfile[]) => Uint8Array {
  const [writeBefore, writeAfter] = [compileSent(resultFields.before), compileSent(resultFields.after)];
  const writeStatus = compileSent(statusFields);
  const { status, screenName, version } = ProfileResultSchema.field;
  return (rows) => {
    wire.clear();
    for (const row of rows) {
      const start = wire.begin(SocialUsersResponseSchema.field.results.number);
      if (row.before !== null) writeBefore(row.before, 0);
      if (row.status !== null && mayRead(row)) {
        const inner = wire.begin(status.number);
        writeStatus(row.status, 0);
        wire.end(inner);
      }
      wire.text(screenName.number, row.screen_name);
      wire.text(version.number, versionOf(row));
      if (row.after !== null) writeAfter(row.after, 0);
      wire.end(start);
    }
    return wire.take();
  };
}
