import { createHash } from "node:crypto";
import { create, type Message } from "@bufbuild/protobuf";
import { LRUCache } from "lru-cache";
import {
  type SocialUsersRequest,
  type SocialUsersResponse,
  SocialUsersResponseSchema,
} from "../../proto/gen/social/v1/social_service_pb.ts";
import { isScreenName } from "../../services/platform/rules/screen-name.ts";
import type { Deadline } from "../http/limits/deadline.ts";
import { type LoadPage, type PageContent, plainPage } from "../http/replies/page.ts";
import { compileWriter } from "../rendering/compile-writer.ts";
import type { Ask } from "./batcher.ts";
import type { CacheCounts } from "./cache-metrics.ts";
import type { CachedRead, ReadOperation } from "./cached-read.ts";
import { type FreshnessToken, unknownNameToken } from "./freshness-tokens.ts";
import type { PageStore } from "./page-store.ts";
import { type Fragment, maxNames } from "./profile-loader.ts";
import type { NoteSeen, SeenState } from "./seen-states.ts";
import { uncachedRead } from "./uncached-read.ts";

/** SocialUsers, each from its service. */
export function uncachedProfiles(operation: ReadOperation, load: Ask<Fragment | undefined>): CachedRead {
  return byName(
    operation,
    async () => {},
    (nameKeys) => async (_encoding, deadline) => plainPage(joined(await load(nameKeys, deadline))),
  );
}

/**
 * SocialUsers from cached profiles: one round trip for all tokens, and a join. A lookup that repeats an earlier one, of users
 * who have not changed, is answered with the cached page.
 * @param maxBytes how many bytes of profiles may be cached
 */
export function cachedProfiles(
  operation: ReadOperation,
  load: Ask<Fragment | undefined>,
  tokensOf: Ask<FreshnessToken>,
  pages: PageStore,
  noteSeen: NoteSeen,
  maxBytes: number,
  counts: Pick<CacheCounts, "profiles">,
): CachedRead {
  const fragments = new LRUCache<FreshnessToken, Fragment>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes.length + 200,
  });

  /** Name by name; undefined for an unknown name, also of a user who was deleted since the token was read. */
  async function fragmentsOf(nameKeys: readonly string[], tokens: readonly FreshnessToken[], deadline: Deadline) {
    const found = tokens.map((token) => (token === unknownNameToken ? undefined : fragments.get(token)));
    const missing = nameKeys.filter((_, index) => found[index] === undefined && tokens[index] !== unknownNameToken);
    counts.profiles.process.hit.value += nameKeys.length - missing.length;
    counts.profiles.process.miss.value += missing.length;
    const loaded = await load(missing, deadline);
    for (const fragment of loaded) if (fragment !== undefined) fragments.set(fragment.token, fragment);
    const made = new Map(missing.map((key, index) => [key, loaded[index]]));
    const seen = nameKeys.map((nameKey) => ({ nameKey, token: made.get(nameKey)?.token ?? unknownNameToken }));
    const changed = seen.filter(({ nameKey, token }, index) => made.has(nameKey) && token !== tokens[index]);
    await noteSeen(changed, deadline);
    return nameKeys.map((key, index) => found[index] ?? made.get(key));
  }

  return byName(operation, noteSeen, (nameKeys) => {
    const pageOf = pages.of(`profiles:${digest(nameKeys)}`, nameKeys.length === 1);
    let last: { tokens: readonly FreshnessToken[]; state: string } | undefined;
    return async (encoding, deadline) => {
      const tokens = await tokensOf(nameKeys, deadline);
      if (last === undefined || !areEqual(last.tokens, tokens)) last = { tokens, state: digest(tokens) };
      return pageOf(last.state, encoding, async () => joined(await fragmentsOf(nameKeys, tokens, deadline)));
    };
  });
}

/** Lookups by name, each name once. Lookups by id are rare and go to the service, since tokens are stored by name. */
function byName(operation: ReadOperation, noteSeen: NoteSeen, prepare: (nameKeys: string[]) => LoadPage): CachedRead {
  const uncached = uncachedRead(operation, stateOf, (message, deadline) => noteSeen(seenIn(message), deadline));
  return (input) => {
    const { userIds, screenNames } = input as SocialUsersRequest;
    if (userIds.length > 0 || screenNames.length === 0 || screenNames.length > maxNames) return uncached(input);
    if (!screenNames.every(isScreenName)) return uncached(input);
    return prepare([...new Set(screenNames.map((name) => name.toLowerCase()))]);
  };
}

/** The text of a reply before its profiles, after them, and between them. */
const [head, tail] = compileWriter(SocialUsersResponseSchema)(create(SocialUsersResponseSchema))
  .split(/(?<=\[)(?=\])/)
  .map((text) => Buffer.from(text)) as [Buffer, Buffer];
const comma = Buffer.from(",");

function joined(profiles: readonly (Fragment | undefined)[]): PageContent {
  const known = profiles.filter((profile) => profile !== undefined);
  const parts = known.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [comma, bytes]));
  return {
    bytes: Buffer.concat([head, ...parts, tail]),
    state: digest(profiles.map((profile) => profile?.token ?? unknownNameToken)),
  };
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((token, index) => token === b[index]);
}

function stateOf(message: Message): string {
  return digest((message as SocialUsersResponse).results.map(({ freshness }) => freshness));
}

function seenIn(message: Message): SeenState[] {
  const { results } = message as SocialUsersResponse;
  return results.map(({ screenName, freshness }) => ({ nameKey: screenName.toLowerCase(), token: freshness }));
}

function digest(words: readonly string[]): string {
  return createHash("sha256").update(words.join(" ")).digest("base64url").slice(0, 22);
}
