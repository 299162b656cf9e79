import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { openSources } from "../../cli/import/file-source.ts";
import { importFiles } from "../../cli/import/import-files.ts";
import { connectServices } from "../../cli/import/services.ts";
import { valuesOf } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

const RealData = suite("real data");
const file = join(import.meta.dirname, "../../../shared/data/twitter.json");
const isThere = existsSync(file);
if (!isThere) console.warn("\n!!! SKIPPED: ../shared/data/twitter.json is missing; real data is not tested !!!\n");
const test = isThere ? RealData : RealData.skip;
let system: TestSystem;

type Fields = Record<string, unknown>;
const users = new Map<string, Fields>();
const statuses = new Map<string, Fields>();

if (isThere) {
  RealData.before(async () => {
    const { statuses: list } = JSON.parse(readFileSync(file, "utf8")) as { statuses: Fields[] };
    list.forEach(sight);
    system = await startTestSystem();
  });
  RealData.after(() => system.stop());
}

function sight(status: Fields): void {
  const user = status.user as Fields;
  users.set(user.id_str as string, user);
  statuses.set(status.id_str as string, status);
  if (status.retweeted_status) sight(status.retweeted_status as Fields);
}

async function runImport() {
  const report = {
    refused: (place: string, reason: string) => assert.unreachable(`${place}: ${reason}`),
    progress: () => {},
  };
  const services = connectServices({ ...system, serviceTokens: [] });
  try {
    return await importFiles(services.clients, await openSources([file]), report);
  } finally {
    services.close();
  }
}

async function get(path: string): Promise<Fields[]> {
  const response = await fetch(`${system.url}${path}`);
  assert.is(response.status, 200, path);
  return ((await response.json()) as { results: Fields[] }).results;
}

test("is imported completely, and a second import changes nothing", async () => {
  const first = await runImport();
  assert.equal([first.users.added, first.statuses.added, first.total.refused], [users.size, statuses.size, 0]);
  const second = await runImport();
  assert.equal(second.total, { added: 0, updated: 0, unchanged: users.size + statuses.size, refused: 0 });
});

test("is returned with equal fields of the right JSON types for every user", async () => {
  const names = [...users.values()].map((user) => user.screen_name as string);
  const shown = await get(`/social/${names.slice(0, 60)}`);
  shown.push(...(await get(`/social/${names.slice(60)}`)));
  assert.equal(valuesOf(shown, "screen_name"), names);
  for (const user of shown) {
    const original = [...users.values()].find((candidate) => candidate.screen_name === user.screen_name) as Fields;
    const { id, status, ...rest } = user;
    assert.match(id as string, /^[1-9]\d{0,15}$/);
    assert.equal(rest, expectedUser(original));
    assert.equal(Object.keys(status as Fields).includes("user"), false);
  }
});

test("is returned with equal fields of the right JSON types for every status", async () => {
  const ids = new Map<string, string>();
  for (const user of users.values()) {
    const [shown] = await get(`/social/${user.screen_name as string}`);
    ids.set(user.id_str as string, shown?.id as string);
  }
  for (const [userId, user] of users) {
    const own = [...statuses.values()].filter((status) => (status.user as Fields).id_str === userId);
    const expected = own.toSorted((a, b) => ((a.id_str as string) < (b.id_str as string) ? 1 : -1));
    const shown = await get(`/social/${user.screen_name as string}/timelines`);
    assert.is(shown.length, expected.length);
    for (const [index, status] of shown.entries()) {
      const { id, user: author, ...rest } = status;
      assert.ok(Number.isSafeInteger(id) && (id as number) > 0);
      assert.is((author as Fields).id, ids.get(userId));
      const { id: _, ...authorFields } = author as Fields;
      assert.equal(authorFields, expectedUser(user));
      assert.equal(rest, expectedStatus(wholeRetweet(expected[index] as Fields), ids));
    }
  }
});

RealData.run();

/** The contract's fields of a user in the file: null is left out, two flags are text. */
function expectedUser(user: Fields): Fields {
  const kept = `name profile_sidebar_border_color profile_sidebar_fill_color created_at profile_image_url
    profile_link_color location url favourites_count contributors_enabled profile_text_color protected followers_count
    lang verified profile_background_color geo_enabled description time_zone friends_count statuses_count
    profile_background_image_url screen_name`.split(/\s+/);
  const fields = Object.fromEntries(kept.map((name) => [name, user[name]]));
  return withoutNull({
    ...fields,
    profile_background_tile: String(user.profile_background_tile),
    profile_use_background_image: String(user.profile_use_background_image),
    utc_offset: user.utc_offset === null ? null : String(user.utc_offset),
  });
}

function expectedStatus(status: Fields, ids: ReadonlyMap<string, string>): Fields {
  const kept = "retweeted truncated created_at in_reply_to_screen_name favorited source text geo coordinates".split(
    " ",
  );
  const replyTo = ids.get(status.in_reply_to_user_id_str as string);
  return withoutNull({
    ...Object.fromEntries(kept.map((name) => [name, status[name]])),
    retweet_count: String(status.retweet_count),
    in_reply_to_user_id: replyTo === undefined ? null : Number(replyTo),
    entities: expectedEntities(status.entities as Record<string, Fields[]>, ids),
  });
}

function expectedEntities(entities: Record<string, Fields[]>, ids: ReadonlyMap<string, string>): Fields {
  const pick = (item: Fields, ...names: string[]) => Object.fromEntries(names.map((name) => [name, item[name]]));
  const link = ["url", "display_url", "expanded_url", "indices"];
  const media = entities.media?.map((item) => pick(item, "media_url", "media_url_https", "sizes", "type", ...link));
  return {
    ...(media && { media }),
    urls: entities.urls?.map((item) => pick(item, ...link)),
    user_mentions: entities.user_mentions?.map((item) => {
      const id = ids.get(item.id_str as string) ?? "0";
      return { ...pick(item, "name", "screen_name", "indices"), id: Number(id), id_str: id };
    }),
    hashtags: entities.hashtags?.map(({ text, indices }) => ({ text, indicies: indices })),
  };
}

function withoutNull(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** A status of API v1.1 as an import stores it: a retweet has the whole text of the original after its author's name, and its entities there. */
function wholeRetweet<T extends Fields>(status: T): T {
  const original = status.retweeted_status as Fields | undefined;
  if (original === undefined) return status;
  const { screen_name, name, id, id_str } = original.user as Fields;
  const start = `RT @${screen_name as string}: `;
  const { length } = [...start];
  const entities = Object.entries(original.entities as Record<string, { indices: number[] }[]>).map(([list, items]) => [
    list,
    items.map((item) => ({ ...item, indices: item.indices.map((index) => index + length) })),
  ]);
  const { user_mentions: mentions, ...others } = Object.fromEntries(entities) as Record<string, Fields[]>;
  const author = { screen_name, name, id, id_str, indices: [3, length - 2] };
  const text = start + (original.text as string);
  return { ...status, text, truncated: false, entities: { ...others, user_mentions: [author, ...(mentions ?? [])] } };
}
