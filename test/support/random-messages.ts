import { create, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import fc from "fast-check";
import { weighted } from "./weighted.ts";

/** What exists in the tested system, so that some messages pass the first check. */
export interface Known {
  users: readonly bigint[];
  statuses: readonly bigint[];
  sessions: readonly string[];
}

/** Random messages of a type, most of them valid in some fields and hostile in others. */
export function randomMessages(desc: DescMessage, known: Known): fc.Arbitrary<Message> {
  return messageOf(desc, known, 0);
}

function messageOf(desc: DescMessage, known: Known, depth: number): fc.Arbitrary<Message> {
  const members = desc.members.map((member) => {
    if (member.kind === "field") {
      return fieldOf(member, known, depth).map((value) => [member.localName, value] as const);
    }
    const cases = member.fields.map((field) =>
      single(field, known, depth).map((value) => ({ case: field.localName, value })),
    );
    const chosen = fc.option(fc.oneof(...cases), { nil: undefined, freq: 8 });
    return chosen.map((value) => [member.localName, value] as const);
  });
  return fc.tuple(...members).map((values) => {
    const message = create(desc) as Message & Record<string, unknown>;
    for (const [name, value] of values) {
      if (value !== undefined) message[name] = value;
    }
    return message;
  });
}

function fieldOf(field: DescField, known: Known, depth: number): fc.Arbitrary<unknown> {
  const one = single(field, known, depth);
  if (field.fieldKind === "list") return fc.array(one, { maxLength: 3 });
  if (field.fieldKind === "map") return fc.dictionary(text(), one, { maxKeys: 2 }).map((map) => ({ ...map }));
  const isOptional = field.fieldKind === "message" || field.proto.proto3Optional;
  return isOptional ? fc.option(one, { nil: undefined, freq: 3 }) : one;
}

function single(field: DescField, known: Known, depth: number): fc.Arbitrary<unknown> {
  if (field.message) return depth > 4 ? fc.constant(create(field.message)) : messageOf(field.message, known, depth + 1);
  return field.enum ? fc.constantFrom(0, 1, 2, 99) : scalarOf(field, known);
}

function scalarOf(field: DescField, known: Known): fc.Arbitrary<unknown> {
  switch (field.scalar) {
    case ScalarType.STRING:
      return stringOf(field.name, known);
    case ScalarType.BYTES:
      return bytes();
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.INT64:
      return mostly(field.name === "id" ? known.statuses : known.users, oddLongs);
    case ScalarType.INT32:
      return mostly([1, 10], [0, -1, 500_000_000, 2 ** 31 - 1, -(2 ** 31)]);
    case ScalarType.DOUBLE:
      return fc.constantFrom(0, 45.5, -90, 181, Number.NaN, Number.POSITIVE_INFINITY, -0, 1e300);
    default:
      throw new Error(`${field} has a type that is not made here`);
  }
}

function mostly<T>(fitting: readonly T[], odd: readonly T[]): fc.Arbitrary<T> {
  return weighted([4, fc.constantFrom(...fitting)], [1, fc.constantFrom(...odd)]);
}

const oddLongs = [0n, -1n, 7n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n), 10n ** 15n];

/** Mostly a text that fits the field, so that the rest of the message is checked as well. */
function stringOf(name: string, known: Known): fc.Arbitrary<string> {
  const fits: Record<string, readonly string[]> = {
    created_at: ["Wed Aug 27 13:08:45 +0000 2008", "Wed Aug 27 13:08:45 +0000 0001"],
    email: ["", "ann@example.org", "new@example.org"],
    origin: ["twitter"],
    continue: ["/home"],
    cursor: ["MTYwMDAwMDAwMDAwMDAwMC4x", ""],
    screen_name: ["ann", "bea", "new_one"],
    screen_names: ["ann", "bea"],
    user_name: ["ann", "some_body", "other_body"],
    user_name_or_email: ["ann", "bea", "ann@example.org", "unknown"],
    session_id: known.sessions,
    lang: ["en", ""],
    paths: ["name", "url", "utc_offset", "protected"],
    password: ["short", "correct horse"],
    old_password: ["correct horse", "wrong horse"],
    new_password: ["correct horse"],
    service: ["", "social.v1.SocialService"],
    file_containing_symbol: ["social.v1.Status", "grpc.health.v1.Health.Check"],
    file_by_filename: ["social/v1/statuses.proto"],
    containing_type: ["google.protobuf.FieldOptions"],
    all_extension_numbers_of_type: ["google.protobuf.FieldOptions"],
  };
  const other = name.includes("color") ? "C0DEED" : name.includes("url") ? "https://a.example/" : "plain";
  // A request id that was used leads to its first answer, or more often to a refusal.
  const good =
    name === "request_id"
      ? fc.oneof(fc.uuid(), fc.uuid(), fc.constant(usedId))
      : fc.constantFrom(...(fits[name] ?? [other]));
  return weighted([6, good], [1, text()]);
}

const usedId = "0b9bd6c5-6a5c-4f39-a4b3-0d5f0d9a7a11";

/** Sixteen bytes often, as an id may have. */
function bytes(): fc.Arbitrary<Uint8Array> {
  const ids = [0, 1, 255].map((byte) => new Uint8Array(16).fill(byte));
  return weighted([3, fc.constantFrom(...ids)], [1, fc.uint8Array({ maxLength: 40 })]);
}

function text(): fc.Arbitrary<string> {
  // Long and cheap to make: there are thousands of them.
  const noise = fc.nat().map((seed) => `${seed.toString(36)}x`.repeat(9_000).slice(0, 9_000));
  const sql = "'; drop table social.status; --";
  const odd = ["", " ", "\u0000", "a\u0000b", "😀é", "\\u0000", sql, "%", "__proto__", "\ufeff\u202e", "a".repeat(300)];
  return weighted([9, fc.constantFrom(...odd)], [1, noise]);
}
