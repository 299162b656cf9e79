import { Validator } from "@seriousme/openapi-schema-validator";
import * as assert from "uvu/assert";
import { type FakeGateway, startFakeGateway } from "../gateway/fake-gateway.ts";
import { suite } from "../support/suite.ts";
import type { OpenApi } from "./open-api.ts";

const Discovery = suite("discovery: openapi.json");

let gateway: FakeGateway;
let document: OpenApi;

Discovery.before(async () => {
  gateway = await startFakeGateway();
  gateway.answers.getSession = () => ({ userId: 1n });
  document = JSON.parse((await gateway.send({ path: "/openapi.json" })).text) as OpenApi;
});
Discovery.after(() => gateway.stop());

Discovery("is valid OpenAPI 3.1, and the validator refuses a changed one", async () => {
  const validate = (text: string) => new Validator().validate(JSON.parse(text));
  const text = JSON.stringify(document);
  const { valid, errors } = await validate(text);
  assert.ok(valid, JSON.stringify(errors));
  assert.is(document.openapi, "3.1.0");
  assert.not.ok((await validate(text.replace('"in":"path"', '"in":"road"'))).valid);
});

Discovery("has no broken references", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path as string);
  const missing = references.filter((path) => {
    const target = path.split("/").reduce<unknown>((inner, key) => (inner as Record<string, unknown>)?.[key], document);
    return target === undefined;
  });
  assert.ok(references.length > 100);
  assert.equal(missing, []);
});

const operations: [name: string, paths: string[], isForSignedIn?: boolean][] = [
  ["Registration", ["/register"]],
  ["SocialUsers", ["/social/ids/{UserIds}", "/social/{ScreenNames}"]],
  ["SocialTimelines", ["/social/{ScreenName}/timelines"]],
  ["Authenticate", ["/auth", "/auth/{Provider}"]],
  ["ChangePassword", ["/auth/password"], true],
  ["Sessions", ["/auth/sessions"], true],
  ["DeleteAccount", ["/profile/delete"], true],
  ["PublishStatus", ["/timelines/publish"], true],
  ["DeleteStatus", ["/timelines/delete"], true],
  ["SocialStatus", ["/social/{ScreenName}/timelines/{Id}"]],
  ["MarkStatus", ["/social/{ScreenName}/timelines/{Id}/mark"], true],
  ["FollowUser", ["/social/{ScreenName}/follow"], true],
  ["AnswerFollower", ["/social/{ScreenName}/answer"], true],
  ["BlockUser", ["/social/{ScreenName}/block"], true],
  ["MuteUser", ["/social/{ScreenName}/mute"], true],
  ["ReportUser", ["/social/{ScreenName}/report"], true],
  ["SocialFollowers", ["/social/{ScreenName}/followers"]],
  ["SocialFriends", ["/social/{ScreenName}/friends"]],
  ["FollowRequests", ["/social/requests/followers"], true],
  ["SocialBlocks", ["/profile/blocks"], true],
  ["SocialMutes", ["/profile/mutes"], true],
  ["SocialPublic", ["/timelines/public"]],
  ["UpdateProfile", ["/profile"], true],
];

Discovery("has every path and generic route of each operation, with unique operationIds", () => {
  const expected = operations.flatMap(([name, own]) => [
    ...own,
    ...["/json/reply/", "/api/", "/json/syncreply/"].flatMap((prefix) => [`${prefix}${name}`, `${prefix}${name}[]`]),
    ...["/json/oneway/", "/json/asynconeway/"].map((prefix) => `${prefix}${name}`),
  ]);
  assert.equal(Object.keys(document.paths).sort(), expected.sort());
  const ids = [...JSON.stringify(document.paths).matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
  assert.is(new Set(ids).size, ids.length);
  assert.is(document.paths["/json/reply/SocialUsers"]?.post?.operationId, "SocialUsers");
});

Discovery("requires a session only for operations with an actor", () => {
  const secured = operations.filter(([name]) => {
    const endpoints = Object.values(document.paths[`/json/reply/${name}`] ?? {});
    return endpoints.length > 0 && endpoints.every(({ security }) => security !== undefined);
  });
  assert.equal(
    secured.map(([name]) => name),
    operations.filter(([, , isForSignedIn]) => isForSignedIn).map(([name]) => name),
  );
});

Discovery("has only paths, verbs and statuses that the gateway serves", async () => {
  for (const [path, item] of Object.entries(document.paths)) {
    // The fields that reads need.
    const target = `${path.replace(/\{\w+\}/g, "1")}?screenName=1&id=1`;
    const headers = { authorization: "Bearer any" };
    const body = path.endsWith("[]") ? "[]" : "{}";
    for (const method of ["get", "post"].filter((verb) => verb in item)) {
      const { status } = await gateway.send({
        method,
        path: target,
        headers,
        body: method === "post" ? body : undefined,
      });
      assert.is(status, path.includes("oneway") ? 204 : 200, `${method} ${path}`);
      assert.ok(`${status}` in (item[method]?.responses ?? {}));
    }
  }
});

Discovery("has no GET of a writing operation, so that no password gets into a query", () => {
  const writes = Object.entries(document.paths).filter(([path]) => /registration|register/i.test(path));
  assert.is(writes.length, 9);
  assert.equal(
    writes.filter(([, item]) => "get" in item),
    [],
  );
});

Discovery("has the types of the public JSON", () => {
  const { Status, Hashtag, UserSummary, Media, Entities, SocialTimelinesRequest } = document.components.schemas;
  const type = (schema: typeof Status, name: string) => schema?.properties?.[name]?.type;
  assert.equal([type(Status, "id"), type(UserSummary, "id")], ["integer", "string"]);
  assert.equal([type(Status, "retweet_count"), type(UserSummary, "utc_offset")], ["string", "string"]);
  assert.equal(UserSummary?.properties?.profile_background_tile?.enum, ["true", "false"]);
  assert.equal([type(Hashtag, "indicies"), type(Hashtag, "indices")], ["array", undefined]);
  assert.equal(Media?.properties?.sizes?.additionalProperties, { $ref: "#/components/schemas/Size" });
  assert.equal(Entities?.required, ["urls", "user_mentions", "hashtags"]);
  assert.not.ok(UserSummary?.required?.includes("url"));
  assert.ok(UserSummary?.required?.includes("location"));
  assert.is(SocialTimelinesRequest?.required, undefined);
  const { take, sinceId } = SocialTimelinesRequest?.properties ?? {};
  assert.equal([take?.type, sinceId?.type], ["integer", "string"]);
});

Discovery("has no internal fields, and requires the fields that they fill", () => {
  const { SocialTimelinesResponse, Status } = document.components.schemas;
  assert.equal(Object.keys(SocialTimelinesResponse?.properties ?? {}), ["results"]);
  const [, filled] = SocialTimelinesResponse?.properties?.results?.items?.allOf ?? [];
  assert.equal(filled?.required, ["user"]);
  assert.not.ok(Status?.required?.includes("user"));
});

Discovery("describes messages, fields and operations by the comments of the proto files", () => {
  const { schemas } = document.components;
  assert.is(schemas.Status?.properties?.text?.description, "The text.");
  assert.equal(
    Object.entries(schemas).filter(([, { description }]) => !description),
    [],
  );
  const fields = Object.values(schemas).flatMap(({ properties }) => Object.entries(properties ?? {}));
  const undescribed = fields.filter(([name, { description }]) => !description && name !== "responseStatus");
  assert.equal(undescribed, []);
});

Discovery("has an entity tag, answers 304 to it, and is available by JSONP", async () => {
  const first = await gateway.send({ path: "/openapi.json" });
  assert.is(first.headers["content-type"], "application/json");
  assert.is(first.headers["x-content-type-options"], "nosniff");
  const again = await gateway.send({
    path: "/openapi.json",
    headers: { "if-none-match": first.headers.etag as string },
  });
  assert.equal([again.status, again.text], [304, ""]);
  const script = await gateway.send({ path: "/openapi.json?callback=show" });
  assert.ok(script.text.startsWith('show({"openapi":'));
  assert.is(script.headers.etag, undefined);
});

Discovery.run();
