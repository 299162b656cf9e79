import { create, toBinary, toJson } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { SocialUsersResponseSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { StatusSchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { encodedMessage, encodingOf } from "../../services/platform/connect/encode-once.ts";
import { suite } from "../support/suite.ts";

const Encoded = suite("encoded messages");

const users = create(SocialUsersResponseSchema, { results: [{ screenName: "ann", utcOffset: 0 }, { id: 7n }] });

Encoded("are read like any other", () => {
  const encoding = toBinary(SocialUsersResponseSchema, users);
  const encoded = encodedMessage(SocialUsersResponseSchema, encoding);
  assert.is(encodingOf(SocialUsersResponseSchema, encoded), encoding);
  assert.equal(toJson(SocialUsersResponseSchema, encoded), toJson(SocialUsersResponseSchema, users));
  assert.equal(toBinary(SocialUsersResponseSchema, encoded), encoding);
  const status = create(StatusSchema, { id: 7n, inReplyToStatusId: 0n, geo: { type: "Point", coordinates: [1, 2] } });
  const again = encodedMessage(StatusSchema, toBinary(StatusSchema, status));
  assert.equal(toBinary(StatusSchema, again), toBinary(StatusSchema, status));
  assert.equal(toJson(StatusSchema, again), toJson(StatusSchema, status));
  assert.throws(() => encodedMessage(StatusSchema, Buffer.from("garbage")).id);
});

Encoded.run();
