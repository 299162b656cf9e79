import { isOriginId } from "../../../services/platform/rules/ids.ts";
import { isList, isObject, type JsonObject, textOrNone } from "../../json/json.ts";
import type { HtmlLink } from "./html-text.ts";

/** A user whom a note mentions. */
export interface Mention {
  /** Such as "ann@social.example". */
  address: string;
  /** The actor's URL, which is the id at the origin; "" when it cannot be one. */
  originId: string;
  /** In lower case. */
  user: string;
  /** Of the address and of the actor's URL. */
  hosts: (string | undefined)[];
}

/** The mentions among the tags of a note, a thousand at most: each link is compared with all of them. */
export function mentionsIn({ tag }: JsonObject): Mention[] {
  const mentions = (isList(tag) ? tag : [tag]).filter(isObject).flatMap(({ type, href, name }) => {
    const host = hostOf(href);
    const [user = "", server = host] = textOrNone(name).replace(/^@/, "").split("@");
    if (type !== "Mention" || host === undefined || server === undefined || user === "") return [];
    const originId = originIdOf(textOrNone(href));
    const hosts = [server.toLowerCase(), hostOf(originId)];
    return [{ address: `${user}@${server}`, originId, user: user.toLowerCase(), hosts }];
  });
  return mentions.slice(0, 1_000);
}

/**
 * The mention that a link belongs to. The link leads to the actor's page and not to the actor's URL, so user and server are
 * compared; a server may give its users the name of another host.
 */
export function mentionFor({ href, text }: HtmlLink, mentions: readonly Mention[]): Mention | undefined {
  const user = text.trim().replace(/^@/, "").split("@")[0]?.toLowerCase() ?? "";
  const host = hostOf(href);
  const isNamed = (mention: Mention) => mention.user === user;
  return (
    mentions.find((mention) => isNamed(mention) && host !== undefined && mention.hosts.includes(host)) ??
    mentions.find(isNamed)
  );
}

function hostOf(url: unknown): string | undefined {
  return typeof url === "string" && URL.canParse(url) ? new URL(url).host || undefined : undefined;
}

/** A URL as an id at the origin; "" when it cannot be one. */
export function originIdOf(url: string): string {
  return isOriginId(url) ? url : "";
}
