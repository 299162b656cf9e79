import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { readSample } from "../../services/local/load-sample.ts";
import { suite } from "../support/suite.ts";

const Sample = suite("local: the sample data");

type Texts<Names extends string> = Record<Names, string>;
type User = Texts<"id_str" | "screen_name" | "name" | "profile_image_url" | "profile_background_image_url"> & {
  statuses_count: number;
  protected?: boolean;
  url?: string;
};

type At = { indices: [number, number] };
type Link = At & Texts<"url" | "expanded_url"> & { media_url?: string };
type Answered = Partial<Texts<"in_reply_to_status_id_str" | "in_reply_to_user_id_str" | "in_reply_to_screen_name">>;
type Status = Answered &
  Texts<"id_str" | "text"> & {
    user: { id_str: string };
    entities?: {
      hashtags?: (At & { text: string })[];
      user_mentions?: (At & Texts<"id_str" | "name" | "screen_name">)[];
      urls?: Link[];
      media?: Link[];
    };
  };

const { users, statuses } = readSample() as unknown as { users: User[]; statuses: Status[] };
const byId = new Map(statuses.map((status) => [status.id_str, status]));
const userById = new Map(users.map((user) => [user.id_str, user]));

Sample("has enough users and statuses to page through, one user without a status and one who is protected", () => {
  const counts = users.map(({ id_str }) => statuses.filter(({ user }) => user.id_str === id_str).length);
  assert.equal(
    counts,
    users.map((user) => user.statuses_count),
  );
  assert.ok(users.length >= 12 && statuses.length > 450);
  assert.ok(counts.some((count) => count > 250) && counts.includes(0));
  assert.is(users.filter((user) => user.protected).length, 1);
  assert.is(byId.size, statuses.length);
  assert.is(new Set(users.map(({ screen_name }) => screen_name.toLowerCase())).size, users.length);
});

Sample("answers earlier statuses of the user that it names", () => {
  const replies = statuses.filter((status) => status.in_reply_to_status_id_str !== undefined);
  assert.ok(replies.length > 100);
  for (const reply of replies) {
    const answered = byId.get(reply.in_reply_to_status_id_str as string);
    assert.ok(answered !== undefined && BigInt(answered.id_str) < BigInt(reply.id_str), reply.text);
    assert.is(reply.in_reply_to_user_id_str, answered?.user.id_str);
    assert.is(reply.in_reply_to_screen_name, userById.get(answered?.user.id_str ?? "")?.screen_name);
  }
});

Sample("has the positions of hashtags, mentions and links in code points", () => {
  let entities = 0;
  for (const { text, entities: { hashtags = [], user_mentions = [], urls = [], media = [] } = {} } of statuses) {
    const at = (indices: number[]) => [...text].slice(...indices).join("");
    for (const tag of hashtags) assert.is(at(tag.indices), `#${tag.text}`);
    for (const { screen_name, name, id_str, indices } of user_mentions) {
      assert.is(at(indices), `@${screen_name}`);
      assert.equal([userById.get(id_str)?.screen_name, userById.get(id_str)?.name], [screen_name, name]);
    }
    for (const { url, indices } of [...urls, ...media]) assert.is(at(indices), url);
    entities += hashtags.length + user_mentions.length + urls.length + media.length;
  }
  assert.ok(entities > 300, `${entities}`);
});

Sample("links only to example hosts, and to pictures that exist", () => {
  const links = statuses.flatMap(({ entities }) => [...(entities?.urls ?? []), ...(entities?.media ?? [])]);
  const addresses = [...links.flatMap(({ url, expanded_url }) => [url, expanded_url]), ...users.map(({ url }) => url)];
  for (const address of addresses) {
    if (address !== undefined) assert.match(new URL(address).hostname, /\.example$/);
  }
  const pictures = [
    ...users.flatMap((user) => [user.profile_image_url, user.profile_background_image_url]),
    ...links.flatMap(({ media_url }) => media_url ?? []),
  ];
  assert.ok(pictures.length > 60);
  const drawn = JSON.parse(readFileSync(new URL("../../services/local/sample/pictures.json", import.meta.url), "utf8"));
  // Without a host: the pictures are on the host that is asked.
  for (const picture of pictures) assert.ok(picture.replace(/^\/pictures\//, "") in drawn, picture);
});

Sample("has texts in many scripts, and emoji", () => {
  const texts = statuses.map(({ text }) => text).join("\n");
  for (const script of ["Latin", "Han", "Hiragana", "Greek", "Arabic", "Cyrillic", "Devanagari"]) {
    assert.match(texts, new RegExp(`\\p{Script=${script}}{2}`, "u"));
  }
  assert.match(texts, /\p{Emoji_Presentation}/u);
});

Sample.run();
