import { pictureSizes } from "./picture-sizes.ts";
import { seeded } from "./seeded.ts";
import type { V11Entities, V11Link, V11Media, V11User } from "./v11.ts";

/** The status to which a text belongs; its pictures are shown on its page. */
interface Home {
  screenName: string;
  id: string;
}

/**
 * The text that a line of the chronicle means, and its entities. "{host/path}" becomes a short link,
 * "{photo name 1600x1200}" a short link to a picture; #tags and @names are found where they stand.
 * @throws when somebody is mentioned who does not live in the town.
 */
export function renderText(
  markup: string,
  home: Home,
  users: ReadonlyMap<string, V11User>,
): { text: string; entities: V11Entities } {
  const entities: V11Entities = { hashtags: [], urls: [], user_mentions: [] };
  let text = "";
  let done = 0;
  for (const { 0: token, index, groups = {} } of markup.matchAll(tokens)) {
    text += markup.slice(done, index);
    done = index + token.length;
    const { tag, name, target, photo, width, height } = groups;
    const start = lengthOf(text);
    const written = photo ? photoAddress(photo) : target ? linkAddress(target) : token;
    text += written;
    const indices: [number, number] = [start, start + lengthOf(written)];
    if (tag) entities.hashtags.push({ text: tag, indices });
    if (name) entities.user_mentions.push({ ...mentioned(users, name), indices });
    if (target) entities.urls.push({ ...link(target), indices });
    if (photo) entities.media = [...(entities.media ?? []), { ...picture(photo, width, height, home), indices }];
  }
  return { text: text + markup.slice(done), entities };
}

const tokens =
  /\{photo (?<photo>\S+) (?<width>\d+)x(?<height>\d+)\}|\{(?<target>\S+)\}|#(?<tag>[\p{L}\p{M}\p{N}_]+)|@(?<name>\w(?:[\w.-]*\w)?)/gu;

function lengthOf(text: string): number {
  return [...text].length;
}

function mentioned(users: ReadonlyMap<string, V11User>, screenName: string) {
  const user = users.get(screenName);
  if (user === undefined) throw new Error(`Nobody is called @${screenName}`);
  return { screen_name: screenName, name: user.name, id_str: user.id_str };
}

function link(target: string): Omit<V11Link, "indices"> {
  const shown = target.length > 26 ? `${target.slice(0, 26)}…` : target;
  return { url: linkAddress(target), display_url: shown, expanded_url: `https://${target}` };
}

function picture(name: string, width: unknown, height: unknown, home: Home): Omit<V11Media, "indices"> {
  const url = photoAddress(name);
  const file = `https://media.roost.example/${name}.jpg`;
  return {
    type: "photo",
    media_url: file,
    media_url_https: file,
    url,
    display_url: url.replace("https://", ""),
    expanded_url: `https://roost.example/${home.screenName}/status/${home.id}/photo/1`,
    sizes: pictureSizes(Number(width), Number(height)),
  };
}

function linkAddress(target: string): string {
  return `https://rst.example/${slug(target)}`;
}

function photoAddress(name: string): string {
  return `https://pic.roost.example/${slug(name)}`;
}

function slug(seed: string): string {
  const random = seeded(seed);
  return Array.from({ length: 8 }, () => letters[Math.floor(random() * letters.length)]).join("");
}

const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
