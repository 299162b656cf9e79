import { suite } from "uvu";
import * as assert from "uvu/assert";
import { sampleTown } from "../../services/local/sample/town.ts";
import type { V11Entities, V11Link, V11Point, V11Status } from "../../services/local/sample/v11.ts";

const Sample = suite("local: the sample town");

const now = new Date("2025-11-21T10:00:00.000Z");
// The turn of a year, a leap day, midnight, both ends of a Saturday, and the eve of a date of the chronicle.
const otherDays = [
  "2024-02-29T12:00:00Z",
  "2026-01-01T00:00:00Z",
  "2027-12-31T23:59:59.999Z",
  "2026-06-13T00:00:30Z",
  "2026-06-13T23:59:00Z",
  "2028-05-16T09:12:30Z",
  "2030-09-08T17:59:59Z",
].map((text) => new Date(text));

const createdAtForm = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \+0000 \d{4}$/;

const { users, statuses } = sampleTown(now);
const replies = statuses.filter((status) => status.in_reply_to_status_id_str !== null);
const reposts = statuses.filter((status) => status.retweeted_status !== undefined);
const byId = new Map(statuses.map((status) => [status.id_str, status]));
const texts = statuses.map((status) => status.text).join("\n");

Sample("has enough people and statuses to page through, and somebody who has never said anything", () => {
  const counts = users.map((user) => statuses.filter((status) => status.user === user).length);
  assert.equal(
    counts,
    users.map((user) => user.statuses_count),
  );
  assert.ok(users.length >= 12 && statuses.length > 450, `${users.length} users, ${statuses.length} statuses`);
  assert.is(counts.filter((count) => count > 250).length, 1);
  assert.is(counts.filter((count) => count === 0).length, 1);
});

Sample("is the same town for the same moment, and has the same people at any", () => {
  // Not assert.is: the difference of two texts of a megabyte takes minutes to print.
  assert.ok(JSON.stringify(sampleTown(new Date(now))) === JSON.stringify({ users, statuses }));
  for (const day of otherDays) {
    assert.equal(
      sampleTown(day).users.map((user) => user.id_str),
      users.map((user) => user.id_str),
    );
  }
});

Sample("is alive at any moment: minutes and years old, never of the future", () => {
  for (const day of [now, ...otherDays]) {
    const town = sampleTown(day);
    const times = town.statuses.map(timeOf);
    assert.ok(times.every((time) => time <= day.getTime()));
    const age = day.getTime() - Math.max(...times);
    assert.ok(age > 60_000 && age < 10 * 60_000, `the newest is ${age} ms old`);
    assert.ok(day.getTime() - Math.min(...times) > 6 * 365 * 24 * 3_600_000);
    for (const status of town.statuses) {
      assert.ok(Date.parse(status.user.created_at) < timeOf(status), `${status.user.screen_name} joined too late`);
    }
  }
});

Sample("numbers its statuses by their time, each once, oldest first", () => {
  for (const day of [now, ...otherDays]) {
    const town = sampleTown(day);
    const ids = town.statuses.map((status) => BigInt(status.id_str));
    assert.is(new Set(ids).size, ids.length);
    assert.ok(ids.every((id, index) => index === 0 || id > (ids[index - 1] as bigint)));
    for (const status of town.statuses) {
      assert.match(status.created_at, createdAtForm);
      assert.is(Math.floor(timeInId(status) / 1_000) * 1_000, timeOf(status));
    }
  }
});

Sample("answers earlier statuses of the right user, whose name comes first", () => {
  assert.ok(replies.length > 100);
  for (const reply of replies) {
    const answered = byId.get(reply.in_reply_to_status_id_str as string) as V11Status;
    assert.ok(timeInId(answered) < timeInId(reply), reply.text);
    assert.is(reply.in_reply_to_user_id_str, answered.user.id_str);
    assert.is(reply.in_reply_to_screen_name, answered.user.screen_name);
    const isOwn = answered.user === reply.user;
    assert.is(reply.text.startsWith(`@${answered.user.screen_name} `), !isOwn, reply.text);
  }
  assert.ok(Math.max(...replies.map(depthOf)) >= 3);
  for (const status of statuses.filter((status) => !replies.includes(status))) {
    assert.equal([status.in_reply_to_user_id_str, status.in_reply_to_screen_name], [null, null]);
  }
});

Sample("points at tags, names and links with positions in code points", () => {
  const found = { hashtags: 0, user_mentions: 0, urls: 0, media: 0 };
  for (const { text, entities } of statuses) {
    const at = (indices: number[]) => [...text].slice(...indices).join("");
    for (const { text: tag, indices } of entities.hashtags) assert.is(at(indices), `#${tag}`);
    for (const { screen_name, indices } of entities.user_mentions) assert.is(at(indices), `@${screen_name}`);
    for (const { url, indices } of linksOf(entities)) assert.is(at(indices), url);
    for (const kind of Object.keys(found) as (keyof typeof found)[]) found[kind] += entities[kind]?.length ?? 0;
    const signs = text.match(/#[\p{L}\p{N}]|@\w|https?:/gu)?.length ?? 0;
    assert.is(signs, entities.hashtags.length + entities.user_mentions.length + linksOf(entities).length, text);
  }
  assert.ok(Math.min(...Object.values(found)) > 10, JSON.stringify(found));
  const isAstral = (text: string) => [...text].length < text.length;
  assert.ok(
    statuses.some(({ text, entities }) => isAstral(text) && entities.hashtags.length + linksOf(entities).length > 0),
  );
});

Sample("mentions people who live there", () => {
  for (const { screen_name, name, id_str } of statuses.flatMap((status) => status.entities.user_mentions)) {
    const user = users.find((user) => user.screen_name === screen_name);
    assert.equal([user?.name, user?.id_str], [name, id_str]);
  }
});

Sample("links to example domains only", () => {
  const links = statuses.flatMap((status) => linksOf(status.entities));
  const addresses = [
    ...links.flatMap((link) => [link.url, link.expanded_url]),
    ...users.flatMap((user) => [user.url, user.profile_image_url, user.profile_background_image_url]),
  ];
  for (const address of addresses) {
    if (address !== null) assert.match(new URL(address).hostname, /\.example$/);
  }
  for (const { expanded_url, display_url } of statuses.flatMap((status) => status.entities.urls)) {
    assert.ok(`https://${display_url}`.startsWith(expanded_url.slice(0, 20)));
  }
});

Sample("shows pictures in four sizes, none larger than the next", () => {
  for (const { media_url, media_url_https, type, sizes } of statuses.flatMap((status) => status.entities.media ?? [])) {
    assert.match(media_url, /^https:\/\/media\.roost\.example\/[\w-]+\.jpg$/);
    assert.equal([media_url_https, type], [media_url, "photo"]);
    const { thumb, small, medium, large } = sizes;
    assert.equal(Object.keys(sizes), ["thumb", "small", "medium", "large"]);
    assert.equal(thumb, { w: 150, h: 150, resize: "crop" });
    for (const [size, width, height] of [
      [small, 340, 480],
      [medium, 600, 1_200],
      [large, 1_024, 2_048],
    ] as const) {
      assert.is(size.resize, "fit");
      assert.ok(size.w > 0 && size.w <= width && size.h > 0 && size.h <= height);
      assert.ok(Math.abs(size.w / size.h - large.w / large.h) < 0.01);
    }
    assert.ok(small.w < medium.w && medium.w < large.w);
  }
});

Sample("tells where, in both orders, for those who allow it", () => {
  const placed = statuses.filter((status) => status.geo !== null || status.coordinates !== null);
  assert.ok(new Set(placed.map((status) => status.user)).size >= 4);
  for (const { geo, coordinates, user } of placed) {
    assert.ok(user.geo_enabled, user.screen_name);
    assert.equal(geo?.coordinates, coordinates?.coordinates.toReversed());
    const [latitude, longitude] = (geo as V11Point).coordinates;
    assert.ok(Math.abs(latitude - 56.15) < 0.1 && Math.abs(longitude - 1.3) < 0.2);
  }
});

Sample("repeats what others said before, in full, and nothing that is protected", () => {
  assert.ok(reposts.length >= 5);
  for (const { text, user, retweet_count, retweeted_status, ...status } of reposts) {
    const original = byId.get(retweeted_status?.id_str as string) as V11Status;
    assert.is(retweeted_status, original);
    assert.is(text, `RT @${original.user.screen_name}: ${original.text}`);
    assert.ok(BigInt(status.id_str) > BigInt(original.id_str));
    assert.ok(user !== original.user && !original.user.protected && original.retweeted_status === undefined);
    assert.is(retweet_count, original.retweet_count);
    assert.ok(retweet_count >= reposts.filter((repost) => repost.retweeted_status === original).length);
    assert.equal(status.entities.media?.[0]?.expanded_url, original.entities.media?.[0]?.expanded_url);
  }
});

Sample("says nothing twice, nothing too long and nothing that was meant for the machine", () => {
  const own = statuses.filter((status) => status.retweeted_status === undefined);
  const repeated = own.filter(({ text }, index) => own.findIndex((other) => other.text === text) !== index);
  assert.equal(
    repeated.map((status) => status.text),
    [],
  );
  for (const { text, retweet_count } of statuses) {
    assert.ok([...text].length > 0 && [...text].length <= 280, text);
    assert.not.match(text, /undefined|NaN|null|\[object|[{}⏎&<>]|Infinity/);
    assert.ok(Number.isInteger(retweet_count) && retweet_count >= 0);
  }
});

Sample("is written in many scripts, with emoji of every make", () => {
  for (const script of ["Latin", "Han", "Hiragana", "Greek", "Arabic", "Cyrillic", "Devanagari"]) {
    assert.match(texts, new RegExp(`\\p{Script=${script}}{2}`, "u"));
  }
  const profiles = users.map((user) => user.description).join();
  assert.match(texts + profiles, /\p{Emoji_Modifier_Base}\p{Emoji_Modifier}/u);
  assert.match(texts, /\u200d/);
  assert.match(texts, /\n/);
});

Sample("has people of every kind", () => {
  assert.is(users.filter((user) => user.protected).length, 1);
  assert.ok(users.some((user) => user.verified) && users.some((user) => !user.verified));
  for (const field of ["url", "time_zone", "utc_offset"] as const) {
    assert.ok(users.some((user) => user[field] === null) && users.some((user) => user[field] !== null), field);
  }
  for (const field of ["profile_background_tile", "profile_use_background_image", "geo_enabled"] as const) {
    assert.is(new Set(users.map((user) => user[field])).size, 2, field);
  }
  assert.ok(new Set(users.map((user) => user.lang)).size >= 6);
  assert.is(new Set(users.map((user) => user.id_str)).size, users.length);
  assert.is(new Set(users.map((user) => user.screen_name.toLowerCase())).size, users.length);
  for (const user of users) {
    assert.match(user.screen_name, /^[A-Za-z0-9_][A-Za-z0-9._-]{0,35}$/);
    const colours = Object.entries(user).filter(([name]) => name.endsWith("_color"));
    assert.is(colours.length, 5);
    for (const [, colour] of colours) assert.match(String(colour), /^[0-9A-F]{6}$/);
  }
  assert.ok([/\./, /-/, /[a-z][A-Z]/].every((form) => users.some((user) => form.test(user.screen_name))));
  assert.ok(new Set(users.map((user) => user.profile_link_color)).size > 10);
});

function timeOf(status: V11Status): number {
  return Date.parse(status.created_at);
}

function timeInId(status: V11Status): number {
  return Number(BigInt(status.id_str) >> 22n) + 1_288_834_974_657;
}

function linksOf({ urls, media = [] }: V11Entities): V11Link[] {
  return [...urls, ...media];
}

function depthOf(reply: V11Status): number {
  const answered = byId.get(reply.in_reply_to_status_id_str ?? "");
  return answered === undefined ? 0 : 1 + depthOf(answered);
}

Sample.run();
