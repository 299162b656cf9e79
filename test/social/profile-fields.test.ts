import type { DescField, DescMessage } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { ProfileResultSchema } from "../../proto/gen/social/v1/profiles_pb.ts";
import { UserSummarySchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { type ProfileRow, profileColumns } from "../../services/social/store/rows.ts";
import { summaryFields } from "../../services/social/views/user-summary.ts";
import { suite } from "../support/suite.ts";

const ProfileFields = suite("profile fields");

/** The fields that only a ProfileResult has: the viewer's relation, the newest status and its token. */
const resultOnly = ["follow_request_sent", "following", "status", "version"];

/** The declaration of a field without its number. */
function meaningOf({ proto, kind, name }: DescField): unknown {
  const { type, label, proto3Optional, options, jsonName } = proto;
  return { name, kind, type, label, proto3Optional, jsonName, options: options?.$unknown };
}

function fieldsOf({ fields }: DescMessage, without: readonly string[] = []): unknown[] {
  const wanted = fields.filter(({ name }) => !without.includes(name));
  return wanted.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(meaningOf);
}

ProfileFields("are the same in UserSummary as in ProfileResult", () => {
  assert.equal(fieldsOf(UserSummarySchema), fieldsOf(ProfileResultSchema, resultOnly));
});

ProfileFields("are all selected and shown, except the viewer's relation", () => {
  const row = Object.fromEntries(profileColumns.split(", ").map((column) => [column.replace("profile.", ""), column]));
  const shown = summaryFields({ ...row, created_at: new Date(0) } as unknown as ProfileRow) as Record<string, unknown>;
  for (const { name, localName } of UserSummarySchema.fields) {
    if (name === "notifications") continue;
    const column = name === "id" ? "user_id" : name;
    if (name !== "created_at") assert.is(shown[localName], `profile.${column}`, name);
  }
});

ProfileFields.run();
