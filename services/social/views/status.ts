import type { Status } from "../../../proto/gen/social/v1/statuses_pb.ts";
import { contractDate } from "../../platform/contract-date.ts";
import type { StatusRelation, StatusRow } from "../store/rows.ts";
import { entitiesView } from "./entities.ts";

/**
 * A status without its user, as seen by the viewer to whom the row's relation belongs; for an anonymous caller both flags are
 * false. A plain object with all fields: create() would go through every field of every status again.
 */
export function statusView(row: StatusRow & Partial<StatusRelation>): Status {
  const { latitude, longitude } = row;
  const isPlaced = latitude !== null && longitude !== null;
  return {
    $typeName: "social.v1.Status",
    id: row.status_id,
    inReplyToStatusId: row.in_reply_to_status_id ?? undefined,
    retweeted: row.retweeted ?? false,
    truncated: row.truncated,
    createdAt: contractDate(row.status_created_at),
    inReplyToUserId: row.in_reply_to_user_id ?? undefined,
    inReplyToScreenName: row.in_reply_to_screen_name ?? undefined,
    entities: entitiesView(row.entities),
    favorited: row.favorited ?? false,
    source: row.source,
    retweetCount: row.retweet_count,
    text: row.text,
    // The same point twice: `geo` as latitude and longitude, `coordinates` as GeoJSON.
    geo: isPlaced ? point(latitude, longitude) : undefined,
    coordinates: isPlaced ? point(longitude, latitude) : undefined,
  };
}

function point(...coordinates: [number, number]): NonNullable<Status["geo"]> {
  return { $typeName: "social.v1.Geo", type: "Point", coordinates };
}
