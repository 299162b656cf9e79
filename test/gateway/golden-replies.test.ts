import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { create, type DescMessage, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { rendering } from "../../gateway/http/replies/page.ts";
import { compileTranscoder } from "../../gateway/rendering/compile-transcoder.ts";
import { wrapJsonp } from "../../gateway/rendering/jsonp.ts";
import { RegistrationResponseSchema } from "../../proto/gen/account/v1/registration_pb.ts";
import { ResponseStatusSchema } from "../../proto/gen/contract/v1/response_status_pb.ts";
import {
  SocialTimelinesResponseSchema,
  SocialUsersResponseSchema,
} from "../../proto/gen/social/v1/social_service_pb.ts";
import { GeoSchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { suite } from "../support/suite.ts";
import { goldenMessage, levels } from "./golden-messages.ts";
import { type MadeField, makeService } from "./made-descriptors.ts";

const Replies = suite("gateway replies as JSON");

const replies: [name: string, schema: DescMessage][] = [
  ["registration", RegistrationResponseSchema],
  ["social-users", SocialUsersResponseSchema],
  ["social-timelines", SocialTimelinesResponseSchema],
  ["response-status", ResponseStatusSchema],
];

for (const [name, schema] of replies) {
  for (const level of levels) {
    Replies(`writes ${name} at level ${level} like the golden file, byte for byte`, () => {
      const json = written(schema, goldenMessage(schema, level));
      assert.is(json, golden(`${name}.${level}.json.golden`));
      JSON.parse(json);
    });
  }
  Replies(`wraps ${name} for JSONP like the golden file`, () => {
    const json = written(schema, goldenMessage(schema, "max"));
    const script = wrapJsonp("cb", json);
    assert.is(script, golden(`${name}.max.jsonp.golden`));
    let received: unknown;
    new Function("cb", script)((value: unknown) => (received = value));
    assert.equal(received, JSON.parse(json));
  });
}

Replies("has another rendering in the keys of pages once cached replies are written differently", () => {
  const hash = createHash("sha256");
  for (const name of ["social-users", "social-timelines"])
    for (const level of levels) hash.update(golden(`${name}.${level}.json.golden`));
  // After a change of these files: the next number of `rendering`, and their new digest.
  assert.equal([rendering, hash.digest("base64url").slice(0, 8)], [2, "uL0HrCTt"]);
});

Replies("writes the keys of a status in the order of the interface document", () => {
  const { results } = JSON.parse(golden("social-timelines.max.json.golden")) as { results: Record<string, unknown>[] };
  assert.is(
    Object.keys(results[0] as object).join(" "),
    "id in_reply_to_status_id retweeted truncated created_at in_reply_to_user_id in_reply_to_screen_name user entities " +
      "favorited source retweet_count text geo coordinates",
  );
});

Replies("writes the timeline's author into every status, and nowhere else", () => {
  const reply = {
    results: [{ id: 2n }, { id: 1n, user: { screenName: "stray" } }],
    author: { screenName: "ann" },
  };
  const { results, ...others } = JSON.parse(written(SocialTimelinesResponseSchema, reply)) as {
    results: { user: { screen_name: string } }[];
  };
  assert.equal(
    results.map((status) => status.user.screen_name),
    ["ann", "ann"],
  );
  assert.equal(others, {});
});

Replies("refuses NaN and infinity, which JSON does not have", () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => written(GeoSchema, { coordinates: [value] }), /not finite/);
  }
});

const unwritable: [why: string, field: MadeField, complaint: RegExp][] = [
  ["bytes", { name: "a", type: "BYTES" }, /kind that a public reply cannot have/],
  ["unsigned numbers", { name: "a", type: "UINT64" }, /kind that a public reply cannot have/],
  [
    "a fill of an unknown field",
    { name: "a", type: "MESSAGE", typeName: ".made.Request", fills: "b.c" },
    /cannot fill "b.c"/,
  ],
];
Replies("fails at boot on a fill of another type than its target", () => {
  const { output } = makeService({
    methods: [{ name: "Tell", paths: [] }],
    request: [{ name: "self", type: "MESSAGE", typeName: ".made.Request" }],
    reply: [
      { name: "items", type: "MESSAGE", typeName: ".made.Request", isList: true },
      { name: "one", type: "MESSAGE", typeName: ".made.Reply", fills: "items.self" },
    ],
  }).methods[0]!;
  assert.throws(() => compileTranscoder(output), /cannot fill "items.self"/);
});

for (const [why, field, complaint] of unwritable) {
  Replies(`fails at boot on ${why}`, () => {
    const { output } = makeService({ methods: [{ name: "Tell", paths: [] }], reply: [field] }).methods[0]!;
    assert.throws(() => compileTranscoder(output), complaint);
  });
}

Replies.run();

function written<D extends DescMessage>(schema: D, message: MessageInitShape<D>): string {
  return compileTranscoder(schema)(toBinary(schema, create(schema, message))).toString();
}

function golden(name: string): string {
  return readFileSync(join(import.meta.dirname, "golden", name), "utf8");
}
