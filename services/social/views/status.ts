import { create } from "@bufbuild/protobuf";
import { EntitiesSchema } from "../../../proto/gen/social/v1/entities_pb.ts";
import { StatusSchema } from "../../../proto/gen/social/v1/statuses_pb.ts";
import type { StatusRelation, StatusRow, StoredEntities } from "../store/rows.ts";
import { createdAt } from "./created-at.ts";

/** A status without its user, as the viewer whose relation the row has sees it; to nobody both flags are false. */
export function statusView(row: StatusRow & Partial<StatusRelation>) {
  return create(StatusSchema, {
    favorited: row.favorited,
    retweeted: row.retweeted,
    id: row.status_id,
    text: row.text,
    source: row.source,
    truncated: row.truncated,
    createdAt: createdAt(row.status_created_at),
    inReplyToStatusId: row.in_reply_to_status_id ?? undefined,
    inReplyToUserId: row.in_reply_to_user_id ?? undefined,
    inReplyToScreenName: row.in_reply_to_screen_name ?? undefined,
    retweetCount: row.retweet_count,
    entities: entitiesView(row.entities),
    ...places(row.latitude, row.longitude),
  });
}

function entitiesView(stored: StoredEntities) {
  const userMentions = stored.userMentions.map((mention) => ({
    ...mention,
    id: BigInt(mention.id),
    idStr: mention.id,
  }));
  return create(EntitiesSchema, { ...stored, userMentions });
}

/** The same point twice: `geo` the way people say it, `coordinates` the way GeoJSON does. */
function places(latitude: number | null, longitude: number | null) {
  if (latitude === null || longitude === null) return {};
  return {
    geo: { type: "Point", coordinates: [latitude, longitude] },
    coordinates: { type: "Point", coordinates: [longitude, latitude] },
  };
}
