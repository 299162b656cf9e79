import fc from "fast-check";
import * as assert from "uvu/assert";
import { compileBinder, type JsonObject, wantedOf } from "../../gateway/binding/compile-binder.ts";
import { Fault } from "../../gateway/binding/fault.ts";
import { splitList } from "../../gateway/binding/list-text.ts";
import { parseBody } from "../../gateway/binding/parse-body.ts";
import { PublicError } from "../../gateway/http/errors/public-error.ts";
import { parsePairs } from "../../gateway/http/requests/form-pairs.ts";
import { RegistrationRequestSchema } from "../../proto/gen/account/v1/registration_pb.ts";
import { SocialTimelinesRequestSchema, SocialUsersRequestSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { codePoint } from "../support/code-point.ts";
import { suite } from "../support/suite.ts";

const Fuzz = suite("gateway binder under random input");

const binders = [RegistrationRequestSchema, SocialUsersRequestSchema, SocialTimelinesRequestSchema].map(compileBinder);
const wanted = wantedOf(SocialUsersRequestSchema);
const names = fc.oneof(
  fc.constantFrom("userName", "AUTOLOGIN", "userIds", "screennames", "screenName", "take", "sinceId", "__proto__"),
  fc.string(),
);
const texts = fc.oneof(fc.string({ unit: codePoint }), fc.string({ unit: fc.constantFrom(...'[]",\\ a1-\ud800\0') }));
const pairs = fc.array(fc.tuple(names, texts), { maxLength: 6 });
const json = fc.dictionary(names, fc.oneof(fc.jsonValue(), texts, fc.array(texts), fc.integer()), { maxKeys: 6 });

Fuzz("binds or refuses random fields with errors of the catalog only", () => {
  const property = fc.property(json, pairs, pairs, (body, query, form) => {
    for (const bind of binders) refusedOrBound(() => bind(body as JsonObject, [query, form]));
  });
  fc.assert(property, { numRuns: 2_000 });
});

Fuzz("reads or refuses random bodies and queries with errors of the catalog only", () => {
  const types = fc.constantFrom(
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=b",
    "",
  );
  const bodies = fc.oneof(fc.uint8Array(), fc.string().map(Buffer.from), multipartBodies());
  const property = fc.property(types, bodies, fc.string(), (type, body, query) => {
    refusedOrBound(() => parseBody(Buffer.from(body), { "content-type": type }, wanted));
    refusedOrBound(() => parsePairs(query, wanted));
  });
  fc.assert(property, { numRuns: 2_000 });
});

Fuzz("reads the items of any list that is written as a JSON array", () => {
  const items = fc.array(
    fc
      .string({ unit: "grapheme" })
      .map((text) => text.trim())
      .filter((text) => text !== ""),
  );
  const property = fc.property(items, (list) => {
    assert.equal(splitList(JSON.stringify(list), list.length + 1), list);
    const quoted = list.map((item) => JSON.stringify(item)).join(" , ");
    assert.equal(splitList(quoted, list.length + 1), list);
  });
  fc.assert(property);
});

Fuzz("splits a list in linear time", () => {
  // Quadratic time for a megabyte would be minutes.
  for (const piece of ['"', " ", ",", '",', '"a",', "a,", "\\", '"\\']) {
    const result = splitList(piece.repeat(1_000_000 / piece.length), Infinity);
    assert.ok(Array.isArray(result) || result instanceof Fault);
  }
});

Fuzz.run();

function multipartBodies() {
  const part = fc
    .tuple(names, texts)
    .map(([name, text]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`);
  const whole = fc.array(part).map((parts) => Buffer.from(`${parts.join("")}--b--\r\n`));
  return fc.tuple(whole, fc.nat(40)).map(([body, missing]) => body.subarray(0, Math.max(0, body.length - missing)));
}

function refusedOrBound(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    refused(error);
  }
}

function refused(error: unknown): void {
  assert.instance(error, PublicError);
  assert.is((error as PublicError).status, 400);
}
