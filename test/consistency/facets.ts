import { History, type Sight } from "./history.ts";

/** What is written and checked of a user, each with a history of its own. */
export const userFacets = ["statuses", "description", "protection", "favourites", "friends"] as const;

/** What is written and checked of a viewer: the session, and of another user the relation, whether statuses may be read, and a mark. */
const viewerFacets = ["session", "relation", "reading", "mark"] as const;

export const facets = [...userFacets, ...viewerFacets] as const;
export type Facet = (typeof facets)[number];

/** A user, as the writers know it, or as one viewer sees a user. */
export interface Subject {
  index: number;
  userId: bigint;
  screenName: string;
  histories: Record<Facet, History>;
  /** All that is on the timeline, the newest last. */
  statuses: bigint[];
}

/** What one reply shows of a user: without the statuses of a protected user, and of a timeline that is refused nothing else. */
export type Sights = Partial<Record<Facet, Sight>>;

export function createSubject(index: number, userId: bigint, screenName: string, status: bigint): Subject {
  const first: Record<Facet, Sight> = {
    statuses: statusesSight([status]),
    description: "",
    protection: "open",
    favourites: "0",
    friends: "0",
    session: "open 1",
    relation: "none",
    reading: "no",
    mark: "false",
  };
  const histories = Object.fromEntries(facets.map((facet) => [facet, new History(first[facet])]));
  return { index, userId, screenName, histories: histories as Record<Facet, History>, statuses: [status] };
}

/** The newest status and their number. */
export function statusesSight(statuses: readonly bigint[]): Sight {
  const newest = statuses.reduce((newest, id) => (id > newest ? id : newest), 0n);
  return `${newest} of ${statuses.length}`;
}
