import type { Person } from "../support/people.ts";
import type { TestServices } from "../support/services.ts";

/** The fields of a request that choose a page. */
export type Paged = { take?: bigint; cursor?: string };

/** All pages of a list, by `next`. */
export async function allPages<T>(
  read: (page: Paged) => Promise<{ results: T[]; next: string }>,
  take: bigint,
): Promise<T[][]> {
  const pages: T[][] = [];
  for (let cursor: string | undefined; cursor !== ""; ) {
    const page = await read({ take, cursor: cursor ?? "" });
    pages.push(page.results);
    cursor = page.next;
  }
  return pages;
}

/** Whether a timeline gives the same `newer` while nothing happens. It is asked twice, since a minute may end meanwhile. */
export async function keepsNewer(read: (page: Paged) => Promise<{ newer: string }>): Promise<boolean> {
  const isSame = async () => {
    const { newer } = await read({});
    return (await read({})).newer === newer && (await read({ cursor: newer })).newer === newer;
  };
  return (await isSame()) || isSame();
}

/** The texts of a page. */
export function textsOf({ results }: { results: { text: string }[] }): string[] {
  return results.map(({ text }) => text);
}

/** So many texts that begin with this word. */
export function numbered(word: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${word} ${index}`);
}

/** Publishes a status with more fields than its text; gives its id. */
export async function publishWith(
  { clients }: TestServices,
  author: Person,
  text: string,
  fields: object = {},
): Promise<bigint> {
  const { results } = await clients.people.publishStatus({ userId: author.id, text, ...fields });
  return results[0]?.id ?? 0n;
}

/** Locks of a publication whose transaction is not committed yet, as the service's own transaction runs it. */
export const slowPublication = ({ id }: Person): [string, unknown[]][] => [
  [
    `insert into social.status (author_id, id, text, source, created_at, entities)
     values ($1, social.next_id(clock_timestamp()), 'slow', '', now(), '{"urls":[],"userMentions":[],"hashtags":[]}')`,
    [id],
  ],
  [
    `update social.profile set last_status_id = (select max(id) from social.status where author_id = $1) where user_id = $1`,
    [id],
  ],
];
