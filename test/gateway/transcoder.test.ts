import { create, type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import fc from "fast-check";
import * as assert from "uvu/assert";
import { compileCanonical, compileTranscoder } from "../../gateway/rendering/compile-transcoder.ts";
import { MediaSchema } from "../../proto/gen/social/v1/entities_pb.ts";
import { ProfileResultSchema } from "../../proto/gen/social/v1/profiles_pb.ts";
import {
  SocialTimelinesResponseSchema,
  SocialUsersResponseSchema,
} from "../../proto/gen/social/v1/social_service_pb.ts";
import { GeoSchema, StatusSchema, UserSummarySchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { times } from "../support/long.ts";
import { randomMessages } from "../support/random-messages.ts";
import { suite } from "../support/suite.ts";
import { goldenMessage, levels } from "./golden-messages.ts";
import { plainJson } from "./plain-json.ts";

const Transcoder = suite("gateway transcoder");

const types: DescMessage[] = [
  SocialTimelinesResponseSchema,
  SocialUsersResponseSchema,
  ProfileResultSchema,
  StatusSchema,
  UserSummarySchema,
  MediaSchema,
  GeoSchema,
];

const known = { users: [1n, 2_700_199_886_835_712n], statuses: [1n, 2_700_199_886_835_713n], sessions: ["s"] };

function transcoded(schema: DescMessage, wire: Uint8Array): string {
  return outcome(() => compileTranscoder(schema)(wire).toString());
}

/** The JSON of the message that the protobuf library decodes, or "no message" when it fails. */
function expected(schema: DescMessage, wire: Uint8Array): string {
  return outcome(() => {
    const message = fromBinary(schema, wire);
    const author = (message as { author?: unknown }).author;
    if (schema === SocialTimelinesResponseSchema)
      for (const status of (message as unknown as { results: { user?: unknown }[] }).results) status.user = author;
    return plainJson(schema, message);
  });
}

function outcome(make: () => string): string {
  try {
    return make();
  } catch {
    return "no message";
  }
}

for (const schema of types) {
  const transcode = compileTranscoder(schema);

  Transcoder(`writes random bytes of ${schema.name} like the decoded message`, () => {
    fc.assert(
      fc.property(randomMessages(schema, known), (message) => {
        const wire = toBinary(schema, message);
        assert.is(
          outcome(() => transcode(wire).toString()),
          expected(schema, wire),
        );
      }),
      { numRuns: times(50, 500) },
    );
  });

  Transcoder(`writes valid JSON or fails for damaged bytes of ${schema.name}`, () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 });
    fc.assert(
      fc.property(randomMessages(schema, known), damage, fc.nat(), fc.boolean(), (message, changes, cut, isCut) => {
        const wire = toBinary(schema, message);
        for (const [at, byte] of changes) wire[at % Math.max(wire.length, 1)] = byte;
        const damaged = isCut ? wire.subarray(0, cut % (wire.length + 1)) : wire;
        const json = outcome(() => transcode(damaged).toString());
        if (json !== "no message") JSON.parse(json);
      }),
      { numRuns: times(50, 500) },
    );
  });
}

for (const schema of [SocialTimelinesResponseSchema, SocialUsersResponseSchema] as DescMessage[]) {
  for (const level of levels) {
    Transcoder(`writes the golden ${schema.name} at level ${level} without decoding the message`, () => {
      const wire = toBinary(schema, goldenMessage(schema, level));
      assert.is(compileCanonical(schema)(wire).toString(), expected(schema, wire));
    });
  }
}

Transcoder("writes all escaped characters, and numbers up to their limits", () => {
  const description = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code)).join("");
  const profile = create(ProfileResultSchema, {
    description: `${description}\u2028\u2029\ud83d\ude00`,
    id: 9_223_372_036_854_775_807n,
    utcOffset: -2_147_483_648,
    friendsCount: 2_147_483_647,
  });
  const ids = [0n, 1n, -1n, 2n ** 49n - 1n, 2n ** 49n, 2n ** 53n, -(2n ** 63n)];
  const messages = [profile, ...ids.map((id) => create(ProfileResultSchema, { id }))];
  for (const message of messages) {
    const wire = toBinary(ProfileResultSchema, message);
    assert.is(transcoded(ProfileResultSchema, wire), plainJson(ProfileResultSchema, message));
  }
});

const text = (writer: BinaryWriter, number: number, value: string) =>
  writer.tag(number, WireType.LengthDelimited).string(value);

for (const [what, schema, wire] of [
  ["fields out of order", GeoSchema, new BinaryWriter().tag(2, WireType.LengthDelimited).fork().double(1.5).join()],
  ["a field that comes twice", StatusSchema, text(text(new BinaryWriter(), 13, "a"), 13, "b")],
  ["a message in two pieces", StatusSchema, inPieces()],
  [
    "numbers that are not packed",
    MediaSchema,
    new BinaryWriter().tag(8, WireType.Varint).int32(1).tag(8, WireType.Varint).int32(2),
  ],
  ["a list in two pieces", StatusSchema, text(new BinaryWriter(), 5, "x")],
  ["unknown fields", StatusSchema, text(text(new BinaryWriter(), 13, "a"), 1_000, "b")],
  [
    "text that is not UTF-8",
    StatusSchema,
    new BinaryWriter().tag(13, WireType.LengthDelimited).bytes(Buffer.from([0xff, 0x61])),
  ],
  ["a key that comes twice", MediaSchema, sizes("b", "a", "b")],
  ["an author of another wire type", SocialTimelinesResponseSchema, stray()],
  ["false in two bytes", StatusSchema, new BinaryWriter().tag(3, WireType.Varint).raw(Uint8Array.of(0x80, 0))],
] as const) {
  Transcoder(`reads ${what} like the protobuf library`, () => {
    const bytes = wire.finish();
    assert.is(transcoded(schema, bytes), expected(schema, bytes));
  });
}

function stray(): BinaryWriter {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.LengthDelimited).fork().tag(1, WireType.Varint).int64(1n).join();
  return writer.tag(2, WireType.Varint).int32(0);
}

function inPieces(): BinaryWriter {
  const writer = new BinaryWriter();
  for (const [number, value] of [
    [1, "Ann"],
    [28, "ann"],
  ] as const) {
    text(writer.tag(8, WireType.LengthDelimited).fork(), number, value).join();
  }
  return writer;
}

function sizes(...keys: string[]): BinaryWriter {
  const writer = new BinaryWriter();
  for (const [index, key] of keys.entries()) {
    text(writer.tag(6, WireType.LengthDelimited).fork(), 1, key);
    writer.tag(2, WireType.LengthDelimited).fork().tag(1, WireType.Varint).int32(index).join().join();
  }
  return writer;
}

Transcoder("does not show the author of one reply in the next", () => {
  const transcode = compileTranscoder(SocialTimelinesResponseSchema);
  for (const author of ["ann", undefined, "bob"]) {
    const reply = create(SocialTimelinesResponseSchema, {
      results: [{ id: 2n }, { id: 1n, user: { screenName: "stray" } }],
      ...(author !== undefined && { author: { screenName: author } }),
    });
    const wire = toBinary(SocialTimelinesResponseSchema, reply);
    assert.is(transcode(wire).toString(), expected(SocialTimelinesResponseSchema, wire));
  }
});

Transcoder.run();
