import { create } from "@bufbuild/protobuf";
import { ProfileResultSchema } from "../../proto/gen/social/v1/profiles_pb.ts";
import { SocialUsersRequestSchema, type SocialUsersResponse } from "../../proto/gen/social/v1/social_service_pb.ts";
import { inParts } from "../../services/platform/in-parts.ts";
import type { Operation } from "../operations.ts";
import { compileWriter } from "../rendering/compile-writer.ts";
import type { CacheCounts } from "./cache-counts.ts";
import { type Ask, nextFlight } from "./flights.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";

/** A profile as JSON in UTF-8, with the state that it shows. */
export interface Fragment {
  bytes: Buffer;
  token: FreshnessToken;
}

/** The most names of a lookup (contract §7). */
export const mostNames = 1_000;

/** Loads profiles by name key, of all lookups of a moment each once; undefined for nobody. Rejects with ConnectError. */
export function createProfileLoader(
  operation: Operation,
  counts: Pick<CacheCounts, "flights" | "profiles">,
): Ask<Fragment | undefined> {
  const load = async (nameKeys: string[]) => {
    counts.flights.profiles.note(nameKeys.length);
    counts.profiles.made.value += nameKeys.length;
    const found = new Map<string, Fragment>();
    for (const screenNames of inParts(nameKeys, mostNames)) {
      const { message } = await operation.call(create(SocialUsersRequestSchema, { screenNames }), {});
      for (const profile of (message as SocialUsersResponse).results) {
        found.set(profile.screenName.toLowerCase(), {
          bytes: Buffer.from(writeProfile(profile)),
          token: profile.freshness,
        });
      }
    }
    return nameKeys.map((key) => found.get(key));
  };
  // Two, so that one which hangs does not hold all the others up.
  return nextFlight(load, { abreast: 2 });
}

const writeProfile = compileWriter(ProfileResultSchema);
