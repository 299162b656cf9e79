import type { StatusToImport } from "./imported-status.ts";

/** The ids here of an origin's ids; undefined when they are not known. */
export interface KnownIds {
  user(originId: string): bigint | undefined;
  status(authorId: bigint, originId: string): bigint | undefined;
}

/**
 * The reply and entity columns of an imported status, with the ids of this system. An unknown one loses its id and keeps its
 * text: a reply its screen name, a mention its place under id 0.
 */
export function resolveReferences({ inReplyTo, entities }: StatusToImport, known: KnownIds) {
  const userId = known.user(inReplyTo.userOriginId);
  const statusId = userId === undefined ? undefined : known.status(userId, inReplyTo.statusOriginId);
  return {
    in_reply_to_user_id: userId?.toString() ?? null,
    in_reply_to_status_id: statusId?.toString() ?? null,
    in_reply_to_screen_name: inReplyTo.screenName ?? null,
    entities: {
      ...entities,
      userMentions: entities.userMentions.map((mention) => ({
        ...mention,
        id: (known.user(mention.id) ?? 0n).toString(),
      })),
    },
  };
}
