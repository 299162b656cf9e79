import type { FastifyRequest } from "fastify";
import { toPublicError } from "../../http/errors/from-service.ts";
import type { ReadAnonymously } from "../../operations/read-anonymously.ts";

/** What other sites show of a link to a page. */
export interface LinkPreview {
  title: string;
  description: string;
  /** The path of the page, in one form for all of its addresses. */
  path: string;
  /** `profile` or `article` (Open Graph). */
  type: string;
  /** An http(s) address, or a path of this host. */
  picture: string | undefined;
  /** Whether the picture is the content, and not the author's. */
  isLarge: boolean;
}

/** What is at an address that begins with `@`: the status of the page, and a preview where there is something to show. */
export interface Found {
  status: 200 | 403 | 404;
  preview?: LinkPreview | undefined;
}

/**
 * Finds what an anonymous caller may see of a user, or of a status.
 * @param segments of the path, decoded: `@ann`, or `@ann`, `status` and an id
 * @returns without a preview also where the read fails: the page itself then says why
 */
export async function findPreview(
  read: ReadAnonymously,
  [user = "", part = "", id, ...more]: readonly string[],
  request: FastifyRequest,
): Promise<Found> {
  const screenName = user.slice(1);
  const isStatus = part === "status" && /^(?:0|[1-9]\d{0,15})$/.test(id ?? "");
  const isUser = id === undefined && ["", "followers", "following"].includes(part);
  if (screenName === "" || more.length > 0 || !(isStatus || isUser)) return { status: 404 };
  try {
    const preview = isStatus
      ? await findStatus(read, screenName, id as string, request)
      : await findUser(read, screenName, request);
    return preview === undefined ? { status: 404 } : { status: 200, preview };
  } catch (error) {
    const { status } = toPublicError(error, request.id);
    if (status === 400) return { status: 404 };
    return { status: status === 403 || status === 404 ? status : 200 };
  }
}

interface User {
  screen_name: string;
  name: string;
  description?: string;
  profile_image_url?: string;
}

interface Status {
  id: number;
  text: string;
  user: User;
  entities?: { media?: { media_url?: string; media_url_https?: string }[] };
}

async function findUser(
  read: ReadAnonymously,
  screenName: string,
  request: FastifyRequest,
): Promise<LinkPreview | undefined> {
  const { results } = (await read("SocialUsers", { screenNames: screenName }, request)) as { results: User[] };
  const user = results.find(({ screen_name: name }) => name.toLowerCase() === screenName.toLowerCase());
  if (user !== undefined) {
    return {
      title: nameOf(user),
      description: shorten(user.description || `What ${user.name || user.screen_name} says.`),
      path: pathOf(user),
      type: "profile",
      picture: addressOf(user.profile_image_url),
      isLarge: false,
    };
  }
  // Lookups leave out suspended and unknown users; the timeline's error tells which it is.
  await read("SocialTimelines", { screenName, take: "1" }, request);
  return undefined;
}

/** Reads the timeline and not SocialStatus, which a gateway may not serve (PUBLIC_OPERATIONS). */
async function findStatus(
  read: ReadAnonymously,
  screenName: string,
  id: string,
  request: FastifyRequest,
): Promise<LinkPreview | undefined> {
  const fields = { screenName, maxId: id, take: "1" };
  const { results } = (await read("SocialTimelines", fields, request)) as { results: Status[] };
  const [status] = results;
  if (status === undefined || `${status.id}` !== id) return undefined;
  const [media] = status.entities?.media ?? [];
  const own = addressOf(media?.media_url_https || media?.media_url);
  return {
    title: nameOf(status.user),
    description: shorten(status.text),
    path: `${pathOf(status.user)}/status/${id}`,
    type: "article",
    picture: own ?? addressOf(status.user.profile_image_url),
    isLarge: own !== undefined,
  };
}

function nameOf({ name, screen_name: screenName }: User): string {
  return `${name || screenName} (@${screenName})`;
}

function pathOf({ screen_name: screenName }: User): string {
  return `/@${encodeURIComponent(screenName)}`;
}

function addressOf(address: string | undefined): string | undefined {
  return address !== undefined && /^(?:https?:\/\/|\/pictures\/)/i.test(address) ? address : undefined;
}

/** Code points that other sites show at most. */
const maxLength = 300;

function shorten(text: string): string {
  const points = [...text];
  return points.length > maxLength ? `${points.slice(0, maxLength - 1).join("")}…` : text;
}
