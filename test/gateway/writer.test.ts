import { readFileSync } from "node:fs";
import { join } from "node:path";
import { create, type DescMessage } from "@bufbuild/protobuf";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { compileWriter } from "../../gateway/rendering/compile-writer.ts";
import { wrapJsonp } from "../../gateway/rendering/jsonp.ts";
import { RegistrationResponseSchema } from "../../proto/gen/account/v1/registration_pb.ts";
import { ResponseStatusSchema } from "../../proto/gen/contract/v1/response_status_pb.ts";
import {
  SocialTimelinesResponseSchema,
  SocialUsersResponseSchema,
} from "../../proto/gen/social/v1/social_service_pb.ts";
import { GeoSchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { goldenMessage, levels } from "./golden-messages.ts";
import { type MadeField, makeService } from "./made-descriptors.ts";

const Writer = suite("gateway writer");

const replies: [name: string, schema: DescMessage][] = [
  ["registration", RegistrationResponseSchema],
  ["social-users", SocialUsersResponseSchema],
  ["social-timelines", SocialTimelinesResponseSchema],
  ["response-status", ResponseStatusSchema],
];

for (const [name, schema] of replies) {
  for (const level of levels) {
    Writer(`writes every byte of ${name} as the golden file has it, at ${level}`, () => {
      const json = compileWriter(schema)(goldenMessage(schema, level));
      assert.is(json, golden(`${name}.${level}.json.golden`));
      JSON.parse(json);
    });
  }
  Writer(`wraps ${name} as the golden file has it`, () => {
    const json = compileWriter(schema)(goldenMessage(schema, "max"));
    const script = wrapJsonp("cb", json);
    assert.is(script, golden(`${name}.max.jsonp.golden`));
    let told: unknown;
    new Function("cb", script)((value: unknown) => (told = value));
    assert.equal(told, JSON.parse(json));
  });
}

Writer("writes the keys of a status in the order of the interface document", () => {
  const { results } = JSON.parse(golden("social-timelines.max.json.golden")) as { results: Record<string, unknown>[] };
  assert.is(
    Object.keys(results[0] as object).join(" "),
    "id in_reply_to_status_id retweeted truncated created_at in_reply_to_user_id in_reply_to_screen_name user entities " +
      "favorited source retweet_count text geo coordinates",
  );
});

Writer("shows the one author in every status, without writing the author itself", () => {
  const write = compileWriter(SocialTimelinesResponseSchema);
  const reply = create(SocialTimelinesResponseSchema, {
    results: [{ id: 2n }, { id: 1n }],
    author: { screenName: "ann" },
  });
  const { results, ...others } = JSON.parse(write(reply)) as { results: { user: { screen_name: string } }[] };
  assert.equal(
    results.map((status) => status.user.screen_name),
    ["ann", "ann"],
  );
  assert.equal(others, {});
});

Writer("does not show the author of one reply in the next", () => {
  const write = compileWriter(SocialTimelinesResponseSchema);
  for (const screenName of ["ann", "bob", "ann"]) {
    const reply = create(SocialTimelinesResponseSchema, { results: [{}], author: { screenName } });
    assert.match(write(reply), `"screen_name":"${screenName}"`);
  }
});

Writer("writes an author once for a whole timeline", () => {
  const write = compileWriter(SocialTimelinesResponseSchema);
  const reply = create(SocialTimelinesResponseSchema, { results: [{}, {}, {}], author: { screenName: "ann" } });
  let reads = 0;
  Object.defineProperty(reply.author, "screenName", { get: () => (reads++, "ann") });
  write(reply);
  assert.is(reads, 1);
});

Writer("refuses numbers that JSON does not have", () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => compileWriter(GeoSchema)(create(GeoSchema, { coordinates: [value] })), /not finite/);
  }
});

const unwritable: [why: string, field: MadeField, complaint: RegExp][] = [
  ["bytes", { name: "a", type: "BYTES" }, /kind that a public reply cannot have/],
  ["unsigned numbers", { name: "a", type: "UINT64" }, /kind that a public reply cannot have/],
  [
    "a fill that leads nowhere",
    { name: "a", type: "MESSAGE", typeName: ".made.Asked", fills: "b.c" },
    /cannot fill "b.c"/,
  ],
];
Writer("fails at boot on a fill of another type than its target", () => {
  const { output } = makeService({
    methods: [{ name: "Tell", paths: [] }],
    asked: [{ name: "self", type: "MESSAGE", typeName: ".made.Asked" }],
    told: [
      { name: "items", type: "MESSAGE", typeName: ".made.Asked", isList: true },
      { name: "one", type: "MESSAGE", typeName: ".made.Told", fills: "items.self" },
    ],
  }).methods[0]!;
  assert.throws(() => compileWriter(output), /cannot fill "items.self"/);
});

for (const [why, field, complaint] of unwritable) {
  Writer(`fails at boot on ${why}`, () => {
    const { output } = makeService({ methods: [{ name: "Tell", paths: [] }], told: [field] }).methods[0]!;
    assert.throws(() => compileWriter(output), complaint);
  });
}

Writer.run();

function golden(name: string): string {
  return readFileSync(join(import.meta.dirname, "golden", name), "utf8");
}
