import { create } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { ProfileResultSchema } from "../../proto/gen/social/v1/profiles_pb.ts";
import { SocialService, SocialUsersRequestSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { chunk } from "../../services/platform/chunk.ts";
import { maxEntries } from "../../services/platform/max-entries.ts";
import type { Deadline } from "../http/limits/deadline.ts";
import { compileTranscoder } from "../rendering/compile-transcoder.ts";
import { textsOf } from "../rendering/wire-reader.ts";
import { askList } from "./ask-list.ts";
import { type Ask, createBatcher } from "./batcher.ts";
import type { CacheCounts } from "./cache-metrics.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";
import { listCall } from "./list-call.ts";

/** A profile as JSON in UTF-8, with the state that it shows. */
export interface Fragment {
  bytes: Buffer;
  token: FreshnessToken;
}

/** Names in one lookup. */
export const maxNames = maxEntries(SocialUsersRequestSchema);

/** Loads profiles by name key, each once for all lookups of a batch; undefined for an unknown name. Rejects with ConnectError. */
export function createProfileLoader(
  social: Transport,
  counts: Pick<CacheCounts, "batches" | "profiles">,
): Ask<Fragment | undefined> {
  const listUsers = listCall(SocialService.method.socialUsers, social, readProfile);
  const list = async (nameKeys: readonly string[], deadline: Deadline) => {
    const profiles = await listUsers(create(SocialUsersRequestSchema, { screenNames: [...nameKeys] }), deadline);
    const found = new Map(profiles.map(({ screenName, fragment }) => [screenName.toLowerCase(), fragment]));
    return nameKeys.map((key) => found.get(key));
  };
  const load = async (nameKeys: string[], deadline: Deadline) => {
    counts.batches.profiles.observe(nameKeys.length);
    counts.profiles.made.value += nameKeys.length;
    const parts = chunk(nameKeys, maxNames).map((part) => askList(part, (names) => list(names, deadline)));
    return (await Promise.all(parts)).flat();
  };
  // Longer than the default: a thousand profiles take longer than a token.
  return createBatcher(load, { stalledMs: 250 });
}

const { field } = ProfileResultSchema;
const transcode = compileTranscoder(ProfileResultSchema);

function readProfile(wire: Uint8Array): { screenName: string; fragment: Fragment } {
  const [screenName = "", token = ""] = textsOf(wire, field.screenName.number, field.freshness.number);
  return { screenName, fragment: { bytes: transcode(wire), token } };
}
