import { createHash } from "node:crypto";
import { create, type Message } from "@bufbuild/protobuf";
import { LRUCache } from "lru-cache";
import { ProfileResultSchema } from "../../proto/gen/social/v1/profiles_pb.ts";
import {
  type SocialUsersRequest,
  SocialUsersRequestSchema,
  type SocialUsersResponse,
  SocialUsersResponseSchema,
} from "../../proto/gen/social/v1/social_service_pb.ts";
import type { Operation } from "../operations.ts";
import { compileWriter } from "../rendering/compile-writer.ts";
import type { CacheCounts } from "./cache-counts.ts";
import { type Ask, nextFlight } from "./flights.ts";
import { type FreshnessToken, nobody } from "./freshness-tokens.ts";
import type { KeptRead } from "./kept-read.ts";
import { isKeptName } from "./name-key.ts";
import type { PageStore } from "./page-store.ts";
import { unkeptRead } from "./unkept-read.ts";

/** SocialUsers, each from its service. */
export function unkeptProfiles(operation: Operation): KeptRead {
  return unkeptRead(operation, stateOf);
}

/** A profile as JSON text, with the state that it shows. */
interface Fragment {
  text: string;
  token: FreshnessToken;
}

/**
 * SocialUsers from kept profiles: one round trip for all tokens, and a join. A lookup that repeats an earlier one, of users
 * who have not changed, is the page of before. Lookups by id go to the service: tokens are kept by name.
 */
export function keptProfiles(
  operation: Operation,
  tokensOf: Ask<FreshnessToken>,
  pages: PageStore,
  maxBytes: number,
  counts: CacheCounts,
): KeptRead {
  const fragments = new LRUCache<FreshnessToken, Fragment>({
    maxSize: maxBytes,
    sizeCalculation: ({ text }) => text.length + 200,
  });
  const loaded = nextFlight(loadFragments);

  async function loadFragments(nameKeys: string[]): Promise<(Fragment | undefined)[]> {
    const found = new Map<string, Fragment>();
    counts.flights.profiles.note(nameKeys.length);
    counts.profiles.made.value += nameKeys.length;
    for (let start = 0; start < nameKeys.length; start += most) {
      const screenNames = nameKeys.slice(start, start + most);
      const { message } = await operation.call(create(SocialUsersRequestSchema, { screenNames }), {});
      for (const profile of (message as SocialUsersResponse).results) {
        const fragment = { text: writeProfile(profile), token: profile.freshness };
        fragments.set(fragment.token, fragment);
        found.set(profile.screenName.toLowerCase(), fragment);
      }
    }
    return nameKeys.map((key) => found.get(key));
  }

  /** Name by name; undefined for nobody, also for somebody who has gone since the token was read. */
  async function fragmentsOf(nameKeys: readonly string[], tokens: readonly FreshnessToken[]) {
    const found = tokens.map((token) => (token === nobody ? undefined : fragments.get(token)));
    const missing = nameKeys.filter((_, index) => found[index] === undefined && tokens[index] !== nobody);
    counts.profiles.process.hit.value += nameKeys.length - missing.length;
    counts.profiles.process.miss.value += missing.length;
    const made = new Map((await loaded(missing)).map((fragment, index) => [missing[index], fragment]));
    return nameKeys.map((key, index) => found[index] ?? made.get(key));
  }

  const unkept = unkeptProfiles(operation);
  return (input) => {
    const { userIds, screenNames } = input as SocialUsersRequest;
    if (userIds.length > 0 || screenNames.length === 0 || screenNames.length > most) return unkept(input);
    if (!screenNames.every(isKeptName)) return unkept(input);
    const nameKeys = [...new Set(screenNames.map((name) => name.toLowerCase()))];
    const thing = `profiles:${digest(nameKeys)}`;
    let last: { tokens: readonly FreshnessToken[]; state: string } | undefined;
    return async (encoding) => {
      const tokens = await tokensOf(nameKeys);
      if (last === undefined || !areEqual(last.tokens, tokens)) last = { tokens, state: digest(tokens) };
      return pages.get(thing, last.state, encoding, async () => {
        const profiles = await fragmentsOf(nameKeys, tokens);
        return { text: joined(profiles), state: digest(profiles.map((profile) => profile?.token ?? nobody)) };
      });
    };
  };
}

/** The most names of a lookup (contract §7). */
const most = 1_000;

const writeProfile = compileWriter(ProfileResultSchema);
const empty = compileWriter(SocialUsersResponseSchema)(create(SocialUsersResponseSchema));

function joined(profiles: readonly (Fragment | undefined)[]): string {
  const texts = profiles.flatMap((profile) => profile?.text ?? []);
  return empty.replace("[]", () => `[${texts.join(",")}]`);
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((token, index) => token === b[index]);
}

function stateOf(message: Message): string {
  return digest((message as SocialUsersResponse).results.map(({ freshness }) => freshness));
}

function digest(words: readonly string[]): string {
  return createHash("sha256").update(words.join(" ")).digest("base64url").slice(0, 22);
}
