import { createdAt } from "./created-at.ts";
import type { Entry } from "./entry.ts";
import { people } from "./people/people.ts";
import { places } from "./places.ts";
import { renderText } from "./render-text.ts";
import { seeded } from "./seeded.ts";
import type { V11Status, V11User } from "./v11.ts";

/** What is known when a status is made: everybody, all older statuses, and how often each is repeated. */
interface Surroundings {
  users: ReadonlyMap<string, V11User>;
  statuses: ReadonlyMap<Entry, V11Status>;
  reposts: ReadonlyMap<Entry, number>;
}

/**
 * The status that an entry becomes.
 * @throws when its author, its place or an older status to which it refers is unknown.
 */
export function createStatus(entry: Entry, id: string, around: Surroundings): V11Status {
  const user = known(around.users.get(entry.author), entry);
  const answered = entry.answers && known(around.statuses.get(entry.answers), entry);
  const repeated = entry.repeats && known(around.statuses.get(entry.repeats), entry);
  return {
    id_str: id,
    created_at: createdAt(entry.at),
    source: sources.get(entry.author) ?? "",
    truncated: false,
    in_reply_to_status_id_str: answered?.id_str ?? null,
    in_reply_to_user_id_str: answered?.user.id_str ?? null,
    in_reply_to_screen_name: answered?.user.screen_name ?? null,
    user,
    ...pointsOf(entry),
    retweet_count: repeated?.retweet_count ?? repostCount(entry, around.reposts.get(entry) ?? 0),
    favorited: false,
    retweeted: false,
    ...textOf(entry, id, repeated, around.users),
    ...(repeated && { retweeted_status: repeated }),
  };
}

const sources = new Map(people.map(({ screenName, client }) => [screenName, sourceOf(client)]));

function sourceOf(client: string): string {
  return `<a href="https://roost.example" rel="nofollow">${client}</a>`;
}

function known<T>(found: T | undefined, entry: Entry): T {
  if (found === undefined) throw new Error(`Unknown author or reference: ${entry.author}: ${entry.markup}`);
  return found;
}

function pointsOf({ place }: Entry): Pick<V11Status, "geo" | "coordinates"> {
  if (place === undefined) return { geo: null, coordinates: null };
  const found = places[place];
  if (found === undefined) throw new Error(`No such place: ${place}`);
  const [latitude, longitude] = found;
  return {
    geo: { type: "Point", coordinates: [latitude, longitude] },
    coordinates: { type: "Point", coordinates: [longitude, latitude] },
  };
}

// Most of what people say is repeated by nobody.
function repostCount({ markup, reposts = 0 }: Entry, visible: number): number {
  return Math.max(reposts, visible + Math.floor(seeded(markup)() ** 4 * 4));
}

function textOf(entry: Entry, id: string, repeated: V11Status | undefined, users: Surroundings["users"]) {
  if (entry.repeats === undefined || repeated === undefined) {
    return renderText(entry.markup, { screenName: entry.author, id }, users);
  }
  const { author, markup } = entry.repeats;
  return renderText(`RT @${author}: ${markup}`, { screenName: author, id: repeated.id_str }, users);
}
