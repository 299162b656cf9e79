import type { Visitor } from "../support/visitors.ts";

/** A person as the walk knows them: what they did, by the rules of contract §11, and nothing that the system said of it. */
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
  /** What others moved is shown within the time of a token: until then counters are not compared. Milliseconds since 1970. */
  looseUntil: number;
}

/** A status, or a repost of one. */
export interface ModelStatus {
  id: number;
  author: ModelPerson;
  text: string;
  /** What a repost repeats. */
  original: ModelStatus | undefined;
  inReplyTo: number | undefined;
  /** Who repeats it, with the repost. */
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
    looseUntil: 0,
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

/** Takes a status off its author's timeline, with what others made of it; gives the others whose counters that moves. */
export function removeStatus(status: ModelStatus): ModelPerson[] {
  const { author, original, reposts, favouredBy } = status;
  author.statuses = author.statuses.filter((one) => one !== status);
  original?.reposts.delete(author);
  for (const [reposter, repost] of reposts) {
    reposter.statuses = reposter.statuses.filter((one) => one !== repost);
  }
  return [...reposts.keys(), ...favouredBy, ...(original ? [original.author] : [])];
}

/** What counts when a status is marked: of a repost what it repeats. */
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

/** With which status a reader is told of what a person wrote: 401 where signing in might help. */
export function readStatus(reader: ModelPerson | undefined, author: ModelPerson): number {
  if (mayRead(reader, author)) return 200;
  return reader === undefined && !author.isSuspended ? 401 : 403;
}

/** What of a person's statuses is on the timeline that a reader sees, oldest first, if the reader may read it. */
export function shownTo(reader: ModelPerson | undefined, { statuses }: ModelPerson): ModelStatus[] {
  return statuses.filter(({ author, original }) => {
    if (original === undefined) return true;
    if (original.author.isSuspended || isRestricted(reader, original.author)) return false;
    return reader === undefined || reader === author || !isApart(reader, original.author);
  });
}

/** Whether a reader is not shown reposts of an author who is protected now: also the reader's own. */
export function isRestricted(reader: ModelPerson | undefined, author: ModelPerson): boolean {
  return author.isProtected && author !== reader && !reader?.follows.has(author);
}

/** Whether a reader is not shown other people's reposts of an author. */
function isApart(reader: ModelPerson, author: ModelPerson): boolean {
  return reader.mutes.has(author) || isBlockBetween(reader, author);
}

export function isBlockBetween(one: ModelPerson, other: ModelPerson): boolean {
  return one.blocks.has(other) || other.blocks.has(one);
}

/** How many of these follow a person. */
export function countFollowers(people: Iterable<ModelPerson>, person: ModelPerson): number {
  return [...people].filter(({ follows }) => follows.has(person)).length;
}
