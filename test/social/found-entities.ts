import { findEntities } from "../../services/social/domain/entities/find-entities.ts";

/** The entities that Roost finds in a text, each as "start-end what" and in the order of links, mentions and hashtags. */
export function foundEntities(text: string): string[] {
  const { urls, mentions, hashtags } = findEntities(text);
  return [
    ...urls.map(({ url, start, end }) => `${start}-${end} ${url}`),
    ...mentions.map(({ screenName, start, end }) => `${start}-${end} @${screenName}`),
    ...hashtags.map((hashtag) => `${hashtag.start}-${hashtag.end} #${hashtag.text}`),
  ];
}
