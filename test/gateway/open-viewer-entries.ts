import { create, type DescField, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import type { Viewer } from "../../gateway/cache/pages/viewer-part.ts";
import { createEntryCache } from "../../gateway/cache/reads/cached-entries.ts";
import type { ReadOperation } from "../../gateway/cache/reads/cached-read.ts";
import { createViewerEntries } from "../../gateway/cache/reads/viewer-entries.ts";
import { JsonList } from "../../gateway/rendering/assembled-bytes.ts";
import { ProfileResultSchema } from "../../proto/gen/social/v1/profiles_pb.ts";
import { SocialService, SocialUsersResponseSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { viewerHeader } from "../../services/platform/connect/identity.ts";

const method = SocialService.method.socialUsers;

/** The users of an answer, and its headers. */
type Answer = { users: MessageInitShape<typeof ProfileResultSchema>[]; headers: Record<string, string> };

/**
 * The entries of viewers over a fake service.
 * @param answer of the service to a viewer who asks for these names
 */
export function openViewerEntries(
  answer: (viewer: string, names: readonly string[]) => Answer | Promise<Answer> = async () =>
    Promise.reject(new Error("not asked")),
) {
  const calls: string[] = [];
  const call: ReadOperation["call"] = async (request, header) => {
    const names = (request as unknown as { screenNames: string[] }).screenNames;
    const asker = header[viewerHeader] as string;
    calls.push(`${asker}: ${names}`);
    const { users, headers } = await answer(asker, names);
    const results = users.map((user) => create(ProfileResultSchema, user));
    return {
      wire: toBinary(SocialUsersResponseSchema, create(SocialUsersResponseSchema, { results })),
      header: new Headers(headers),
    };
  };
  const field = (name: string) => ProfileResultSchema.fields.find((one) => one.name === name) as DescField;
  const subjects = method.input.fields.find(({ name }) => name === "screen_names") as DescField;
  const fields = { subject: field("screen_name"), state: field("version") };
  const join = (bytes: readonly Buffer[]) => new JsonList(bytes);
  const operation = { name: "SocialUsers", method, call };
  const counts = { made: { value: 0 } } as Parameters<typeof createViewerEntries>[6];
  const entries = createViewerEntries(operation, subjects, fields, join, createEntryCache(100_000), 100_000, counts);
  const read = (reader: Viewer) => {
    const [key] = entries.keysOf(["s1"], reader);
    return key === undefined ? undefined : entries.find(key)?.bytes.toString();
  };
  return { entries, join, read, calls };
}
