import { createdAt } from "./created-at.ts";
import { moment } from "./moment.ts";
import type { Person } from "./people/person.ts";
import type { V11User } from "./v11.ts";

/** The user that somebody of the town is as of `now`. */
export function createUser(person: Person, statusesCount: number, now: Date): V11User {
  const { screenName, counts, colours, zone, flags = [], background } = person;
  return {
    id_str: person.id,
    name: person.name,
    screen_name: screenName,
    location: person.location,
    description: person.description,
    url: person.url ?? null,
    protected: flags.includes("protected"),
    followers_count: counts.followers,
    friends_count: counts.friends,
    favourites_count: counts.favourites,
    statuses_count: statusesCount,
    created_at: createdAt(moment(person.joined, now)),
    utc_offset: zone?.offset ?? null,
    time_zone: zone?.name ?? null,
    geo_enabled: flags.includes("geo"),
    verified: flags.includes("verified"),
    contributors_enabled: false,
    lang: person.lang,
    profile_image_url: `https://media.roost.example/faces/${screenName}.png`,
    profile_background_image_url: `https://media.roost.example/backgrounds/${background ?? "plain"}.png`,
    profile_background_tile: flags.includes("tile"),
    profile_use_background_image: background !== undefined,
    profile_background_color: colours.background,
    profile_link_color: colours.link,
    profile_sidebar_border_color: colours.border,
    profile_sidebar_fill_color: colours.fill,
    profile_text_color: colours.text,
  };
}
