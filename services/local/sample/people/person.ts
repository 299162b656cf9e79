/** Somebody of the town, or some institution of it. */
export interface Person {
  /** In a range in which Twitter has given out no ids, so that nobody in a user's own file is taken for one of these. */
  id: string;
  screenName: string;
  name: string;
  location: string;
  description: string;
  url?: string;
  /** In the words of moment.ts; at least a year before the first status. */
  joined: string;
  lang: string;
  zone?: { name: string; offset: number };
  /** The application from which this person writes. */
  client: string;
  counts: { followers: number; friends: number; favourites: number };
  colours: Record<"background" | "link" | "border" | "fill" | "text", string>;
  /** The background picture, if there is one. */
  background?: string;
  flags?: ("protected" | "verified" | "geo" | "tile")[];
}
