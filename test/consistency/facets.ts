import { History, type State } from "./history.ts";

/** The parts of a user that are changed and checked, each with its own history. */
const userFacets = ["statuses", "description", "protection", "favourites", "friends"] as const;

/** The parts of a viewer that are changed and checked: the session; of another user the relation, whether statuses may be read, and a mark. */
const viewerFacets = ["session", "relation", "reading", "mark"] as const;

export const facets = [...userFacets, ...viewerFacets] as const;
export type Facet = (typeof facets)[number];

/** A user as the writers left it, or as one viewer sees it. */
export interface Subject {
  index: number;
  userId: bigint;
  screenName: string;
  histories: Record<Facet, History>;
  /** The ids of the timeline, the newest last. */
  statuses: bigint[];
}

/** What one reply shows of a user: a protected user's statuses are missing, and a refused timeline shows only the protection. */
export type States = Partial<Record<Facet, State>>;

export function createSubject(index: number, userId: bigint, screenName: string, status: bigint): Subject {
  const first: Record<Facet, State> = {
    statuses: statusesState([status]),
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
export function statusesState(statuses: readonly bigint[]): State {
  const newest = statuses.reduce((newest, id) => (id > newest ? id : newest), 0n);
  return `${newest} of ${statuses.length}`;
}
