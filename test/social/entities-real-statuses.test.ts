import { existsSync, readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { displayUrl } from "../../services/social/domain/entities/display-url.ts";
import { suite } from "../support/suite.ts";
import { foundEntities } from "./found-entities.ts";

interface Entity {
  indices: [number, number];
}
interface Link extends Entity {
  url: string;
  expanded_url: string;
  display_url: string;
}
interface Status {
  text: string;
  entities: {
    urls: Link[];
    media?: (Entity & { url: string })[];
    user_mentions: (Entity & { screen_name: string })[];
    hashtags: (Entity & { text: string })[];
  };
  retweeted_status?: Status;
}

const file = new URL("../../../shared/data/twitter.json", import.meta.url);
const RealStatuses = suite("social: entities of statuses that Twitter published");

if (existsSync(file)) {
  const published: Status[] = JSON.parse(readFileSync(file, "utf8")).statuses;
  const statuses = published.flatMap((status) => [status, status.retweeted_status ?? []].flat());

  RealStatuses("are those that Twitter found, with the same indices", () => {
    const compared = statuses.filter((status) => !isCutInsideLink(status));
    assert.ok(compared.length > 150);
    for (const status of compared) assert.equal(foundEntities(status.text).sort(), byTwitter(status), status.text);
  });

  RealStatuses("have the same display URLs as on Twitter, also in profiles", () => {
    // The display URL of a photo cannot be derived from its URL.
    const links = linksIn(published).filter((link) => !link.display_url.startsWith("pic.twitter.com/"));
    assert.ok(links.length > 30);
    assert.ok(links.some((link) => link.display_url.endsWith("…")));
    for (const link of links) assert.is(displayUrl(link.expanded_url), link.display_url);
  });
} else {
  console.warn(`SKIPPED: the sample of Twitter's statuses is not at ${file.pathname}`);
  RealStatuses.skip("are those that Twitter found, with the same indices");
}

RealStatuses.run();

// A repost was cut to 140 characters, but kept the entities of the whole text.
function isCutInsideLink({ text }: Status): boolean {
  return /https?:\S*…$/.test(text);
}

/** All link entities in there, at any depth. */
function linksIn(value: unknown): Link[] {
  if (typeof value !== "object" || value === null) return [];
  const link = value as Link;
  return link.display_url && link.expanded_url ? [link] : Object.values(value).flatMap(linksIn);
}

function byTwitter({ entities }: Status): string[] {
  return [
    ...[...entities.urls, ...(entities.media ?? [])].map(({ url, indices }) => `${indices.join("-")} ${url}`),
    ...entities.user_mentions.map(({ screen_name, indices }) => `${indices.join("-")} @${screen_name}`),
    ...entities.hashtags.map(({ text, indices }) => `${indices.join("-")} #${text}`),
  ].sort();
}
