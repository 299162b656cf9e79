import type { States, Subject } from "./facets.ts";
import { type Encoding, readAsViewer, readProfiles, readTimeline, type ViewerRead } from "./read.ts";
import { type Judge, momentOf } from "./verdict.ts";
import type { Viewer } from "./viewer.ts";

export interface Gateway {
  name: string;
  url: string;
  /** Of all reads; random when left out. */
  encoding?: Encoding;
}

/** Reads a user's timeline and compares it with the history. Rejects, like the others, when the reply is an error. */
export async function judgeTimeline(judge: Judge, { url, name, encoding }: Gateway, user: Subject): Promise<void> {
  const from = momentOf(user);
  judge.note(user, await readTimeline(url, user.screenName, encoding), from, `timeline of ${name}`);
}

/** The same for users' profiles by one lookup. */
export async function judgeLookup(
  judge: Judge,
  { url, name, encoding }: Gateway,
  users: readonly Subject[],
): Promise<void> {
  const from = users.map(momentOf);
  const seen = await readProfiles(
    url,
    users.map(({ screenName }) => screenName),
    encoding,
  );
  for (const [index, user] of users.entries())
    judge.note(user, seen[index] ?? {}, from[index] ?? [], `lookup of ${name}`);
}

interface Viewing {
  viewer: Viewer;
  watched: Subject;
  by: ViewerRead;
  /** The session that the reader presents; the newest when left out. */
  session?: ReturnType<Viewer["session"]>;
}

/** The same for what a viewer sees of a user. */
export async function judgeAsViewer(
  judge: Judge,
  { url, name, encoding }: Gateway,
  { viewer, watched, by, session: { id, number } = viewer.session() }: Viewing,
): Promise<void> {
  const [ofSession, ofWatched] = [momentOf(viewer.own), momentOf(watched)];
  const { screenName } = watched;
  const other = (watched === viewer.open ? viewer.shy : viewer.open).screenName;
  const seen = await readAsViewer(url, { screenName, other, sessionId: id, by, encoding });
  const where = `${by} of ${name} by a viewer`;
  judge.note(viewer.own, { session: `${seen === undefined ? "ended" : "open"} ${number}` }, ofSession, where);
  // The public user's statuses can be read by all; the protected one has no mark.
  const { relation, reading, mark } = seen ?? {};
  const states = { relation, ...(watched === viewer.open ? { mark } : { reading }) };
  judge.note(watched, states as States, ofWatched, where);
}
