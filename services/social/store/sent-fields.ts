import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { ProfileResultSchema } from "../../../proto/gen/social/v1/profiles_pb.ts";
import { StatusSchema, UserSummarySchema } from "../../../proto/gen/social/v1/statuses_pb.ts";

/** A public field whose value is the same for all anonymous callers, and the SQL of that value. */
export interface SentField {
  field: DescField;
  sql: string;
}

/** The fields of a relation named `status`. A point is two float8 in a row. */
export const statusFields = sentFields(StatusSchema, "status", ["retweeted", "favorited", "user"], {
  geo: "float8send(status.latitude) || float8send(status.longitude)",
  coordinates: "float8send(status.longitude) || float8send(status.latitude)",
});

const user = { id: "profile.user_id" };

/** The fields of a relation named `profile`, as a status embeds its user. */
export const summaryFields = sentFields(UserSummarySchema, "profile", ["notifications"], user);

const profileReplyFields = sentFields(
  ProfileResultSchema,
  "profile",
  ["follow_request_sent", "notifications", "following", "status", "screen_name", "version"],
  user,
);

/** The fields of a relation named `profile`, by their numbers before the newest status and the version, and after these. */
export const resultFields = {
  before: profileReplyFields.filter(({ field }) => field.number < ProfileResultSchema.field.status.number),
  after: profileReplyFields.filter(({ field }) => field.number > ProfileResultSchema.field.version.number),
};

/**
 * The select item that sends these fields as one value, which platform/postgres/sent-row.ts reads: a text for each would cost more. Null for
 * no fields.
 */
export function sentRow(fields: readonly SentField[]): string {
  if (fields.length === 0) return "null::bytea";
  return `record_send(row(${fields.map(({ sql }) => sql).join(", ")}))`;
}

/**
 * In the order of their numbers.
 * @param others fields that are written otherwise, or only for a viewer
 * @param sql of fields whose value is not the column of the field's name
 */
function sentFields(
  { fields }: DescMessage,
  relation: string,
  others: readonly string[],
  sql: Readonly<Record<string, string>>,
): readonly SentField[] {
  return fields
    .filter(({ name }) => !others.includes(name))
    .toSorted((a, b) => a.number - b.number)
    .map((field) => ({ field, sql: sql[field.name] ?? `${relation}.${field.name}` }));
}
