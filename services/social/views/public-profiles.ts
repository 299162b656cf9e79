import { ProfileResultSchema } from "../../../proto/gen/social/v1/profiles_pb.ts";
import { SocialUsersResponseSchema } from "../../../proto/gen/social/v1/social_service_pb.ts";
import type { PublicProfile } from "../store/profiles/list-public-profiles.ts";
import type { SentField } from "../store/sent-fields.ts";
import { freshnessToken } from "./freshness-token.ts";
import { compileSent, wire } from "./sent-message.ts";

/**
 * Compiles the view of users for anonymous callers: SocialUsersResponse, encoded with each message's fields in the order of their
 * numbers, as the gateway reads them fastest.
 * @param mayRead whether a user's newest status may be shown
 * @throws Error for a field of a user whose number is above the status's
 */
export function compilePublicProfiles(
  resultFields: readonly SentField[],
  statusFields: readonly SentField[],
  mayRead: (row: PublicProfile) => boolean,
): (rows: readonly PublicProfile[]) => Uint8Array {
  const [writeResult, writeStatus] = [compileSent(resultFields), compileSent(statusFields)];
  const { status, screenName, freshness } = ProfileResultSchema.field;
  const late = resultFields.find(({ field }) => field.number > status.number);
  if (late !== undefined) throw new Error(`${late.field} comes after the status: it has to be written here, behind it`);
  return (rows) => {
    wire.clear();
    for (const row of rows) {
      const start = wire.begin(SocialUsersResponseSchema.field.results.number);
      writeResult(row.fields, 0);
      if (row.status !== null && mayRead(row)) {
        const inner = wire.begin(status.number);
        writeStatus(row.status, 0);
        wire.end(inner);
      }
      wire.text(screenName.number, row.screen_name);
      wire.text(freshness.number, freshnessToken(row));
      wire.end(start);
    }
    return wire.take();
  };
}
