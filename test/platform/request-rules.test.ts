import { randomUUID } from "node:crypto";
import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { AuthenticateRequestSchema } from "../../proto/gen/account/people/v1/people_service_pb.ts";
import { SocialFollowersRequestSchema } from "../../proto/gen/social/people/v1/lists_pb.ts";
import { UpdateProfileRequestSchema } from "../../proto/gen/social/people/v1/profile_pb.ts";
import { AnswerFollowerRequestSchema } from "../../proto/gen/social/people/v1/relations_pb.ts";
import { MarkStatusRequestSchema, PublishStatusRequestSchema } from "../../proto/gen/social/people/v1/statuses_pb.ts";
import { compileRules } from "../../services/platform/rules/request-rules.ts";
import { suite } from "../support/suite.ts";

const Rules = suite("rules of requests");

const requestId = randomUUID();

/** The invalid fields of a request, as "field Code". */
function bad<D extends DescMessage>(schema: D, fields: MessageInitShape<D>): string[] {
  return compileRules(schema)(create(schema, fields)).map(({ fieldName, errorCode }) => `${fieldName} ${errorCode}`);
}

const published = (fields: MessageInitShape<typeof PublishStatusRequestSchema>) =>
  bad(PublishStatusRequestSchema, { requestId, text: "a", ...fields });

Rules("report every invalid field once, in the order of the request", () => {
  const all = { text: " ", lang: "!", mediaUrls: Array<string>(5).fill("x"), latitude: 90.1, requestId: "1" };
  assert.equal(published(all), [
    "text NotEmpty",
    "latitude InclusiveBetween",
    "longitude NotEmpty",
    "lang RegularExpression",
    "mediaUrls InclusiveBetween",
    "requestId RegularExpression",
  ]);
  assert.equal(published({}), []);
});

Rules("require fields that belong together", () => {
  assert.equal(published({ latitude: 0 }), ["longitude NotEmpty"]);
  assert.equal(published({ longitude: 0 }), ["latitude NotEmpty"]);
  assert.equal(published({ latitude: 0, longitude: 0 }), []);
  assert.equal(published({ inReplyToScreenName: "ann" }), ["inReplyToStatusId NotEmpty"]);
  assert.equal(published({ inReplyToStatusId: 1n }), ["inReplyToScreenName NotEmpty"]);
  assert.equal(bad(AuthenticateRequestSchema, { userName: "ann" }), ["password NotEmpty"]);
  assert.equal(bad(AuthenticateRequestSchema, { password: "x" }), ["userName NotEmpty"]);
  assert.equal(bad(AuthenticateRequestSchema, {}), []);
});

Rules("keep decimals within their bounds", () => {
  for (const latitude of [-90, -0.5, 0, 89.999, 90]) assert.equal(published({ latitude, longitude: -180 }), []);
  for (const latitude of [-90.0001, 91, Number.MAX_VALUE]) {
    assert.equal(published({ latitude, longitude: 0 }), ["latitude InclusiveBetween"], `${latitude}`);
  }
});

Rules("check every entry of a list", () => {
  const good = "https://pictures.example/a.png";
  assert.equal(published({ mediaUrls: [good, good, good, good] }), []);
  assert.equal(published({ mediaUrls: [good, "/a.png"] }), ["mediaUrls InvalidUrl"]);
  assert.equal(published({ mediaUrls: Array<string>(5).fill(good) }), ["mediaUrls InclusiveBetween"]);
});

Rules("require a bool to be set, to true or false", () => {
  const mark = { screenName: "ann", id: 1n, requestId };
  assert.equal(bad(MarkStatusRequestSchema, mark), ["favorited NotEmpty"]);
  assert.equal(bad(MarkStatusRequestSchema, { ...mark, retweeted: false }), []);
  assert.equal(bad(MarkStatusRequestSchema, { ...mark, favorited: false }), []);
  assert.equal(bad(AnswerFollowerRequestSchema, { screenName: "ann", requestId }), ["approved NotEmpty"]);
  assert.equal(bad(AnswerFollowerRequestSchema, { screenName: "ann", approved: false, requestId }), []);
});

Rules("accept an empty text as a value for fields that can be cleared", () => {
  const update = (fields: MessageInitShape<typeof UpdateProfileRequestSchema>) =>
    bad(UpdateProfileRequestSchema, { requestId, ...fields });
  assert.equal(update({}), []);
  assert.equal(update({ url: "", location: "", profileLinkColor: "", utcOffset: "" }), []);
  assert.equal(update({ name: " " }), ["name NotEmpty"]);
  assert.equal(update({ utcOffset: "-50400" }), []);
  assert.equal(update({ utcOffset: "50401" }), ["utc_offset InclusiveBetween"]);
  assert.equal(update({ utcOffset: "+1" }), ["utc_offset RegularExpression"]);
  assert.equal(update({ profileLinkColor: "0084B" }), ["profile_link_color RegularExpression"]);
});

Rules("write field names in messages as separate words", () => {
  const [fault] = compileRules(UpdateProfileRequestSchema)(
    create(UpdateProfileRequestSchema, { requestId, profileLinkColor: "red" }),
  );
  assert.is(fault?.message, "'Profile Link Color' is not in the correct format.");
});

Rules("accept only UUIDs in any case as request ids", () => {
  for (const id of [requestId, requestId.toUpperCase()]) assert.equal(published({ requestId: id }), []);
  for (const id of [`{${requestId}}`, `${requestId} `, requestId.replaceAll("-", "")]) {
    assert.equal(published({ requestId: id }), ["requestId RegularExpression"], id);
  }
});

Rules("refuse cursors that are too long or have other characters", () => {
  const page = (cursor: string) => bad(SocialFollowersRequestSchema, { screenName: "ann", cursor });
  assert.equal(page("AbC-_=.~"), []);
  for (const cursor of ["a b", "é", "x".repeat(257)]) assert.equal(page(cursor), ["cursor RegularExpression"], cursor);
});

Rules.run();
