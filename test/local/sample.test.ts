import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { readSample } from "../../services/local/load-sample.ts";
import { suite } from "../support/suite.ts";

const Sample = suite("local: the sample data");

interface User {
  id_str: string;
  screen_name: string;
  name: string;
  profile_image_url: string;
  profile_background_image_url: string;
  url?: string;
}
type At = { indices: [number, number] };
type Link = At & { url: string; expanded_url: string; media_url?: string };
interface Status {
  text: string;
  entities?: {
    hashtags?: (At & { text: string })[];
    user_mentions?: (At & Pick<User, "id_str" | "name" | "screen_name">)[];
    urls?: Link[];
    media?: Link[];
  };
}

const { users, statuses } = readSample() as unknown as { users: User[]; statuses: Status[] };
const userById = new Map(users.map((user) => [user.id_str, user]));

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

Sample.run();
