import type { Media } from "../../../../proto/gen/social/v1/entities_pb.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import { composeEntities } from "../../domain/compose-entities.ts";
import { findEntities } from "../../domain/entities/find-entities.ts";
import { listMentionable } from "../../store/profiles/list-mentionable.ts";
import type { NewStatus } from "../../store/statuses/insert-status.ts";

/** A status without the entities that are found in its text. */
export type WithMedia<Status> = Omit<Status, "entities"> & { media: readonly Media[] };

/** A status with its entities: looks up the users whom it mentions, if there are any. */
export async function withEntities<Status extends Pick<NewStatus, "authorId" | "text">>(
  db: Db,
  { media, ...status }: Status & { media: readonly Media[] },
) {
  const found = findEntities(status.text);
  const users = await listMentionable(
    db,
    found.mentions.map((mention) => mention.screenName),
    status.authorId,
  );
  return { ...status, entities: composeEntities(status.text, found, users, media) };
}
