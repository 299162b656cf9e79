import { create } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { ProfileResultSchema } from "../../proto/gen/social/v1/profiles_pb.ts";
import { SocialService, SocialUsersRequestSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { inParts } from "../../services/platform/in-parts.ts";
import { maxEntries } from "../../services/platform/max-entries.ts";
import { listCall } from "../list-call.ts";
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

/** The most names of a lookup. */
export const mostNames = maxEntries(SocialUsersRequestSchema);

/** Loads profiles by name key, of all lookups of a moment each once; undefined for nobody. Rejects with ConnectError. */
export function createProfileLoader(
  social: Transport,
  counts: Pick<CacheCounts, "flights" | "profiles">,
): Ask<Fragment | undefined> {
  const listUsers = listCall(SocialService.method.socialUsers, social, readProfile);
  const load = async (nameKeys: string[]) => {
    counts.flights.profiles.note(nameKeys.length);
    counts.profiles.made.value += nameKeys.length;
    const found = new Map<string, Fragment>();
    for (const screenNames of inParts(nameKeys, mostNames)) {
      const profiles = await listUsers(create(SocialUsersRequestSchema, { screenNames }));
      for (const { screenName, fragment } of profiles) found.set(screenName.toLowerCase(), fragment);
    }
    return nameKeys.map((key) => found.get(key));
  };
  // One at a time, since what two lookups both name is then made once for both; and another beside one that hangs.
  return nextFlight(load, { abreast: 2, apart: 250 });
}

const { field } = ProfileResultSchema;
const transcode = compileTranscoder(ProfileResultSchema);

function readProfile(wire: Uint8Array): { screenName: string; fragment: Fragment } {
  const [screenName = "", token = ""] = textsOf(wire, field.screenName.number, field.freshness.number);
  return { screenName, fragment: { bytes: transcode(wire), token } };
}
