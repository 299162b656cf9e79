import type { Sights, Subject } from "./facets.ts";
import { readAsViewer, readProfiles, readTimeline } from "./read.ts";
import { type Judge, momentOf } from "./verdict.ts";
import type { Viewer } from "./viewer.ts";

interface Gateway {
  name: string;
  url: string;
}

/** Reads a user's timeline and holds it against the history. Rejects, as the others do, when the reply is none that a user may get. */
export async function judgeTimeline(judge: Judge, { url, name }: Gateway, user: Subject): Promise<void> {
  const from = momentOf(user);
  judge.note(user, await readTimeline(url, user.screenName), from, `timeline of ${name}`);
}

/** The same of users' profiles by one lookup. */
export async function judgeLookup(judge: Judge, { url, name }: Gateway, users: readonly Subject[]): Promise<void> {
  const from = users.map(momentOf);
  const seen = await readProfiles(
    url,
    users.map(({ screenName }) => screenName),
  );
  for (const [index, user] of users.entries())
    judge.note(user, seen[index] ?? {}, from[index] ?? [], `lookup of ${name}`);
}

/**
 * The same of what a viewer sees of a user.
 * @param session the one that the reader presents: the newest unless told
 */
export async function judgeAsViewer(
  judge: Judge,
  { url, name }: Gateway,
  viewer: Viewer,
  watched: Subject,
  by: "lookup" | "timeline",
  { id, number } = viewer.session(),
): Promise<void> {
  const [ofSession, ofWatched] = [momentOf(viewer.own), momentOf(watched)];
  const seen = await readAsViewer(url, watched.screenName, id, by);
  const where = `${by} of ${name} by a viewer`;
  judge.note(viewer.own, { session: `${seen === undefined ? "ended" : "open"} ${number}` }, ofSession, where);
  // All may read the one that is open; of the other one there is no mark.
  const { relation, reading, mark } = seen ?? {};
  const sights = { relation, ...(watched === viewer.open ? { mark } : { reading }) };
  judge.note(watched, sights as Sights, ofWatched, where);
}
