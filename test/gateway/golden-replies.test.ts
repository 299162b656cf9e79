import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  getOption,
  type Message,
  ScalarType,
  toBinary,
} from "@bufbuild/protobuf";
import fc from "fast-check";
import * as assert from "uvu/assert";
import { rendering } from "../../gateway/http/replies/page.ts";
import { compileCanonical, compileTranscoder } from "../../gateway/rendering/compile-transcoder.ts";
import { wrapJsonp } from "../../gateway/rendering/jsonp.ts";
import { publicName } from "../../gateway/rendering/public-fields.ts";
import { RegistrationResponseSchema } from "../../proto/gen/account/v1/registration_pb.ts";
import { as, internal, JsonForm, omit_empty } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { ResponseStatusSchema } from "../../proto/gen/contract/v1/response_status_pb.ts";
import {
  SocialTimelinesResponseSchema,
  SocialUsersResponseSchema,
} from "../../proto/gen/social/v1/social_service_pb.ts";
import { times } from "../support/long.ts";
import { randomMessages } from "../support/random-messages.ts";
import { suite } from "../support/suite.ts";

const Replies = suite("gateway replies as JSON");

/** The values of a message's fields: `bare` has no optional fields, `zero` has all fields at zero. */
const levels = ["bare", "zero", "min", "max"] as const;
type Level = (typeof levels)[number];

const replies: [name: string, schema: DescMessage][] = [
  ["registration", RegistrationResponseSchema],
  ["social-users", SocialUsersResponseSchema],
  ["social-timelines", SocialTimelinesResponseSchema],
  ["response-status", ResponseStatusSchema],
];

for (const [name, schema] of replies) {
  for (const level of levels) {
    Replies(`writes ${name} at level ${level} like the golden file, byte for byte`, () => {
      const wire = toBinary(schema, goldenMessage(schema, level));
      const json = compileTranscoder(schema)(wire).toString();
      assert.is(json, golden(`${name}.${level}.json.golden`));
      JSON.parse(json);
      assert.is(compileCanonical(schema)(wire).toString(), json, "without decoding the message");
    });
  }
  Replies(`wraps ${name} for JSONP like the golden file`, () => {
    const json = golden(`${name}.max.json.golden`);
    const script = wrapJsonp("cb", json);
    assert.is(script, golden(`${name}.max.jsonp.golden`));
    let received: unknown;
    new Function("cb", script)((value: unknown) => (received = value));
    assert.equal(received, JSON.parse(json));
  });
}

const known = { users: [1n, 2_700_199_886_835_712n], statuses: [1n, 2_700_199_886_835_713n], sessions: ["s"] };
for (const schema of [SocialTimelinesResponseSchema, SocialUsersResponseSchema] as DescMessage[]) {
  const transcode = compileTranscoder(schema);
  Replies(`writes a random ${schema.name} field by field, one after the other with the same compiled code`, () => {
    const property = fc.property(randomMessages(schema, known), (message) => {
      const wire = toBinary(schema, message);
      assert.is(
        outcome(() => transcode(wire).toString()),
        outcome(() => plainJson(schema, withAuthor(fromBinary(schema, wire)))),
      );
    });
    fc.assert(property, { numRuns: times(100, 1_000) });
  });
}

Replies("has another rendering in the keys of pages once cached replies are written differently", () => {
  const hash = createHash("sha256");
  for (const name of ["social-users", "social-timelines"])
    for (const level of levels) hash.update(golden(`${name}.${level}.json.golden`));
  // After a change of these files: the next number of `rendering`, and their new digest.
  assert.equal([rendering, hash.digest("base64url").slice(0, 8)], [2, "uL0HrCTt"]);
});

Replies.run();

function golden(name: string): string {
  return readFileSync(join(import.meta.dirname, "golden", name), "utf8");
}

function outcome(make: () => string): string {
  try {
    return make();
  } catch {
    return "no message";
  }
}

/** A timeline's author is the user of every status. */
function withAuthor(message: Message): Message {
  const { author, results } = message as unknown as { author?: unknown; results: { user?: unknown }[] };
  if (message.$typeName === SocialTimelinesResponseSchema.typeName) for (const status of results) status.user = author;
  return message;
}

/** A message's public JSON by a simple implementation. */
function plainJson({ fields }: DescMessage, message: Message): string {
  const values = message as unknown as Record<string, unknown>;
  const parts = fields
    .filter((field) => !getOption(field, internal))
    .map((field) => [JSON.stringify(publicName(field)), fieldJson(field, values[field.localName])])
    .filter(([, json]) => json !== undefined)
    .map(([name, json]) => `${name}:${json}`);
  return `{${parts.join(",")}}`;
}

function fieldJson(field: DescField, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (field.fieldKind === "list" || field.fieldKind === "map") {
    const items = Object.entries(value as object);
    if (items.length === 0 && getOption(field, omit_empty)) return undefined;
    if (field.fieldKind === "list") return `[${items.map(([, item]) => itemJson(field, item)).join(",")}]`;
    return `{${items.map(([key, item]) => `${JSON.stringify(key)}:${itemJson(field, item)}`).join(",")}}`;
  }
  return itemJson(field, value);
}

function itemJson(field: DescField, value: unknown): string {
  if (field.message !== undefined) return plainJson(field.message, value as Message);
  if (field.scalar === ScalarType.STRING) return JSON.stringify(value);
  if (field.scalar === ScalarType.DOUBLE && !Number.isFinite(value)) throw new Error("not finite");
  const form = getOption(field, as);
  const isText = field.scalar === ScalarType.INT64 ? form !== JsonForm.NUMBER : form === JsonForm.STRING;
  return isText ? `"${value}"` : `${value}`;
}

/** A message with all fields, also of nested messages and internal ones, at one level. */
function goldenMessage(message: DescMessage, level: Level): Message {
  const fields = message.fields.filter(({ name }) => level !== "bare" || name === "results");
  return create(message, Object.fromEntries(fields.map((field) => [field.localName, fieldValue(field, level)])));
}

function fieldValue(field: DescField, level: Level): unknown {
  switch (field.fieldKind) {
    case "scalar":
      return scalarValue(field, level);
    case "message":
      return goldenMessage(field.message, level);
    case "list": {
      const item = field.listKind === "message" ? goldenMessage(field.message, level) : scalarValue(field, level);
      return level === "max" ? [item, item] : [item];
    }
    case "map":
      return { [level]: field.mapKind === "message" ? goldenMessage(field.message, level) : level };
    default:
      throw new Error(`no golden value for ${field}`);
  }
}

// Characters that JSON or a script must escape, and others from more than one plane of Unicode.
const specialCharacters = 'é\u{1F426}"\\/\n\u0000\u001f\u2028\u2029</';

function scalarValue(field: DescField, level: Level): unknown {
  switch (field.scalar) {
    case ScalarType.STRING:
      return { bare: "", zero: "", min: field.name, max: `${field.name} ${specialCharacters}` }[level];
    case ScalarType.BOOL:
      return level === "max";
    case ScalarType.INT32:
      return { bare: 0, zero: 0, min: -(2 ** 31), max: 2 ** 31 - 1 }[level];
    case ScalarType.INT64:
      return { bare: 0n, zero: 0n, min: -(2n ** 63n), max: 2n ** 63n - 1n }[level];
    case ScalarType.DOUBLE:
      return { bare: 0, zero: 0, min: -180, max: 52.51234567890123 }[level];
    default:
      throw new Error(`no golden value for ${field}`);
  }
}
