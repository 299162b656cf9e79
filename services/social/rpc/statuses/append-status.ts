import type { Media } from "../../../../proto/gen/social/v1/entities_pb.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import { composeEntities } from "../../domain/compose-entities.ts";
import { findEntities } from "../../domain/entities/find-entities.ts";
import { listMentionable } from "../../store/profiles/list-mentionable.ts";
import { insertStatus, type NewStatus } from "../../store/statuses/insert-status.ts";

/** A status, but for what is found in its text. */
export type StatusToAppend = Omit<NewStatus, "entities"> & { media: readonly Media[] };

/**
 * Appends a status to its author's timeline, whose row it locks last and for a short time. Undefined when there is no such
 * author, or the author's profile does not allow the place.
 */
export async function appendStatus(db: Db, { media, ...status }: StatusToAppend) {
  const found = findEntities(status.text);
  const users = await listMentionable(
    db,
    found.mentions.map((mention) => mention.screenName),
    status.authorId,
  );
  return insertStatus(db, { ...status, entities: composeEntities(status.text, found, users, media) });
}
