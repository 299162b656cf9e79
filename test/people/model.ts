import type { Visitor } from "../support/visitors.ts";

/** A user in the model: what they did, by the rules of contract §11, and nothing from replies. */
export interface ModelPerson extends Omit<Visitor, "cookie"> {
  isProtected: boolean;
  isSuspended: boolean;
  isGone: boolean;
  description: string;
  /** Oldest first. */
  statuses: ModelStatus[];
  follows: Set<ModelPerson>;
  /** Whom the person has asked to follow. */
  asked: Set<ModelPerson>;
  blocks: Set<ModelPerson>;
  mutes: Set<ModelPerson>;
}

/** A status, or a repost of one. */
export interface ModelStatus {
  id: number;
  author: ModelPerson;
  text: string;
  /** The original of a repost. */
  original: ModelStatus | undefined;
  inReplyTo: number | undefined;
  /** Who reposts it, with the repost. */
  reposts: Map<ModelPerson, ModelStatus>;
  favouredBy: Set<ModelPerson>;
}

/** A person who has just registered. */
export function newPerson({ id, name, session }: Visitor): ModelPerson {
  return {
    id,
    name,
    session,
    isProtected: false,
    isSuspended: false,
    isGone: false,
    description: "",
    statuses: [],
    follows: new Set(),
    asked: new Set(),
    blocks: new Set(),
    mutes: new Set(),
  };
}

/** Adds a status to its author's timeline. */
export function addStatus(author: ModelPerson, id: number, text: string, more: Partial<ModelStatus> = {}): ModelStatus {
  const status = { id, author, text, original: undefined, inReplyTo: undefined, ...more };
  const added: ModelStatus = { ...status, reposts: new Map(), favouredBy: new Set() };
  author.statuses.push(added);
  added.original?.reposts.set(author, added);
  return added;
}

/** Removes a status from its author's timeline, with its reposts. */
export function removeStatus(status: ModelStatus): void {
  const { author, original, reposts } = status;
  author.statuses = author.statuses.filter((one) => one !== status);
  original?.reposts.delete(author);
  for (const [reposter, repost] of reposts) {
    reposter.statuses = reposter.statuses.filter((one) => one !== repost);
  }
}

/** The status that a mark counts for: the original of a repost. */
export function counted(status: ModelStatus): ModelStatus {
  return status.original ?? status;
}

/** Whether a status is still on its author's timeline. */
export function stands(status: ModelStatus): boolean {
  return status.author.statuses.includes(status);
}

/** Whether a reader may read what a person wrote; undefined is an anonymous one. */
export function mayRead(reader: ModelPerson | undefined, author: ModelPerson): boolean {
  if (author.isSuspended || (reader !== undefined && author.blocks.has(reader))) return false;
  return !author.isProtected || author === reader || (reader?.follows.has(author) ?? false);
}

/** The HTTP status of a reader's request for a user's statuses: 401 where signing in might help. */
export function readStatus(reader: ModelPerson | undefined, author: ModelPerson): number {
  if (mayRead(reader, author)) return 200;
  return reader === undefined && !author.isSuspended ? 401 : 403;
}

/** The statuses of a user that a reader sees, oldest first, if the reader may read the user. */
export function shownTo(reader: ModelPerson | undefined, { statuses }: ModelPerson): ModelStatus[] {
  return statuses.filter(({ author, original }) => {
    if (original === undefined) return true;
    if (original.author.isSuspended || isRestricted(reader, original.author)) return false;
    return reader === undefined || [reader, original.author].includes(author) || !isApart(reader, original.author);
  });
}

/** Whether reposts of an author who is protected now are hidden from a reader: also the reader's own. */
export function isRestricted(reader: ModelPerson | undefined, author: ModelPerson): boolean {
  return author.isProtected && author !== reader && !reader?.follows.has(author);
}

/** Whether other users' reposts of an author are hidden from a reader. */
function isApart(reader: ModelPerson, author: ModelPerson): boolean {
  return reader.mutes.has(author) || isBlockBetween(reader, author);
}

export function isBlockBetween(one: ModelPerson, other: ModelPerson): boolean {
  return one.blocks.has(other) || other.blocks.has(one);
}
