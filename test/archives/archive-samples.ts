import { gzipSync } from "node:zlib";
import type { JsonObject } from "../../cli/json/json.ts";
import { tarFile, type ZipMember, zipFile } from "./archive-files.ts";

/** A tweet as in X's archives: numbers are strings, and there is no author. */
export function archivedTweet(id: string, fields: JsonObject = {}): JsonObject {
  return {
    edit_info: { initial: { editTweetIds: [id], editsRemaining: "5", isEditEligible: true } },
    retweeted: false,
    source: '<a href="https://mobile.twitter.com" rel="nofollow">Twitter Web App</a>',
    entities: { hashtags: [], symbols: [], user_mentions: [], urls: [] },
    display_text_range: ["0", "12"],
    favorite_count: "3",
    id_str: id,
    truncated: false,
    retweet_count: "2",
    id,
    created_at: "Sun Aug 31 00:29:15 +0000 2014",
    favorited: false,
    full_text: `Tweet ${id}`,
    lang: "en",
    ...fields,
  };
}

/** A file of X's archives: a list that is assigned to a variable. */
export function xFile(name: string, list: unknown[]): ZipMember {
  const variable = name.replace(/-part\d+$/, "").replaceAll("-", "_");
  const part = /-part(\d+)$/.exec(name)?.[1] ?? "0";
  return { name: `data/${name}.js`, data: `window.YTD.${variable}.part${part} = ${JSON.stringify(list, null, 2)}` };
}

/** An archive of X with these tweets; `more` are its other files. */
export function xZip(tweets: JsonObject[], more: ZipMember[] = []): Buffer {
  const account = xFile("account", [{ account: { accountId: "2244994945", username: "old_name" } }]);
  return zipFile([
    account,
    xFile(
      "tweets",
      tweets.map((tweet) => ({ tweet })),
    ),
    ...more,
  ]);
}

export const actor = "https://social.example/users/ann";
export const publicCollection = "https://www.w3.org/ns/activitystreams#Public";

/** An activity of Mastodon's outbox.json that creates a public note. */
export function noteActivity(id: number, fields: JsonObject = {}, activity: JsonObject = {}): JsonObject {
  const receivers = { to: [publicCollection], cc: [`${actor}/followers`] };
  const published = new Date(Date.UTC(2022, 10, 5) + id * 60_000).toISOString().replace(".000", "");
  const url = `${actor}/statuses/${id}`;
  return {
    id: `${url}/activity`,
    type: "Create",
    actor,
    published,
    ...receivers,
    object: {
      id: url,
      type: "Note",
      summary: null,
      inReplyTo: null,
      published,
      url: `https://social.example/@ann/${id}`,
      attributedTo: actor,
      ...receivers,
      content: `<p>Note ${id}</p>`,
      attachment: [],
      tag: [],
      ...fields,
    },
    ...activity,
  };
}

/** The files of a Mastodon archive with these activities. */
export function mastodonFiles(activities: JsonObject[]): { name: string; data: string }[] {
  const collection = { "@context": ["https://www.w3.org/ns/activitystreams", {}], id: "outbox.json" };
  const outbox = { ...collection, type: "OrderedCollection", totalItems: activities.length, orderedItems: activities };
  return [
    { name: "outbox.json", data: JSON.stringify(outbox) },
    { name: "actor.json", data: JSON.stringify({ id: actor, type: "Person", preferredUsername: "ann" }) },
  ];
}

/** A Mastodon archive as its servers pack it, with other files. */
export function mastodonTarGz(activities: JsonObject[]): Buffer {
  const media = { name: "media_attachments/files/1/picture.png", data: "not read".repeat(100) };
  return gzipSync(tarFile([{ name: "media_attachments/", type: "5" }, media, ...mastodonFiles(activities)]));
}
