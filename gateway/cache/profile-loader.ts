import { create } from "@bufbuild/protobuf";
import { ProfileResultSchema } from "../../proto/gen/social/v1/profiles_pb.ts";
import { type SocialUsersRequest, SocialUsersRequestSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { inParts } from "../../services/platform/in-parts.ts";
import type { ListCall } from "../list-call.ts";
import { compileTranscoder } from "../rendering/compile-transcoder.ts";
import { textsOf } from "../rendering/wire-reader.ts";
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
  listUsers: ListCall<SocialUsersRequest>,
  counts: Pick<CacheCounts, "flights" | "profiles">,
): Ask<Fragment | undefined> {
  const load = async (nameKeys: string[]) => {
    counts.flights.profiles.note(nameKeys.length);
    counts.profiles.made.value += nameKeys.length;
    const found = new Map<string, Fragment>();
    for (const screenNames of inParts(nameKeys, mostNames)) {
      for (const profile of await listUsers(create(SocialUsersRequestSchema, { screenNames }))) {
        const [screenName = "", token = ""] = textsOf(profile, field.screenName.number, field.freshness.number);
        found.set(screenName.toLowerCase(), { bytes: transcodeProfile(profile), token });
      }
    }
    return nameKeys.map((key) => found.get(key));
  };
  // Two, so that one which hangs does not hold all the others up.
  return nextFlight(load, { abreast: 2 });
}

const { field } = ProfileResultSchema;
const transcodeProfile = compileTranscoder(ProfileResultSchema);
