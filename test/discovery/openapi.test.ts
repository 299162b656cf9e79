import { createRouterTransport } from "@connectrpc/connect";
import { Validator } from "@seriousme/openapi-schema-validator";
import Fastify from "fastify";
import * as assert from "uvu/assert";
import { compileOperations } from "../../gateway/operations/operation-table.ts";
import { addSite } from "../../gateway/site/site-routes.ts";
import { useFakeGateway } from "../gateway/fake-gateway.ts";
import { makeService } from "../gateway/made-descriptors.ts";
import { suite } from "../support/suite.ts";
import type { OpenApi } from "./open-api.ts";

const Discovery = suite("discovery: openapi.json");
const gateway = useFakeGateway(Discovery);

let document: OpenApi;

Discovery.before(async () => {
  gateway.answers.getSession = () => ({ userId: 1n });
  document = JSON.parse((await gateway.send({ path: "/openapi.json" })).text) as OpenApi;
});

Discovery("is valid OpenAPI 3.1, and the validator refuses a changed one", async () => {
  const validate = (text: string) => new Validator().validate(JSON.parse(text));
  const text = JSON.stringify(document);
  const { valid, errors } = await validate(text);
  assert.ok(valid, JSON.stringify(errors));
  assert.is(document.openapi, "3.1.0");
  assert.not.ok((await validate(text.replace('"in":"query"', '"in":"road"'))).valid);
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
  ["SearchUsers", ["/social/search/users"]],
  ["SearchStatuses", ["/social/search/statuses"]],
  ["SocialHome", ["/timelines/home"], true],
  ["SocialMentions", ["/timelines/mentions"], true],
  ["SocialReplies", ["/social/{ScreenName}/timelines/{Id}/replies"]],
  ["SocialFavorites", ["/profile/favorites"], true],
  ["UpdateProfile", ["/profile"], true],
];

Discovery("has each operation once, with its other paths and generic routes as aliases", () => {
  const listed = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item).map((endpoint) => ({ path, endpoint })),
  );
  assert.equal(
    listed.map(({ path, endpoint }) => [endpoint.operationId, path]),
    operations.map(([name]) => [name, `/json/reply/${name}`]),
  );
  const aliases = new Map(listed.map(({ endpoint }) => [endpoint.operationId, endpoint["x-aliases"]]));
  for (const [name, own] of operations) {
    const expected = {
      reply: [...own, `/api/${name}`, `/json/syncreply/${name}`],
      batch: ["/json/reply/", "/api/", "/json/syncreply/"].map((prefix) => `${prefix}${name}[]`),
      nothing: ["/json/oneway/", "/json/asynconeway/"].map((prefix) => `${prefix}${name}`),
    };
    const found = aliases.get(name) ?? [];
    for (const [answers, paths] of Object.entries(expected)) {
      const those = found.filter((alias) => alias.answers === answers).map(({ path }) => path);
      assert.equal(those.toSorted(), paths.toSorted());
    }
  }
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
    for (const [verb, endpoint] of Object.entries(item)) {
      const routes = [{ path, answers: "reply" }, ...endpoint["x-aliases"]];
      for (const { path: route, answers } of routes) {
        // The fields that reads need.
        const target = `${route.replace(/\{\w+\}/g, "1")}?screenName=1&id=1`;
        const body = answers === "batch" ? "[]" : verb === "post" ? "{}" : undefined;
        const method = body === undefined ? verb : "post";
        const { status } = await gateway.send({ method, path: target, headers: { authorization: "Bearer any" }, body });
        assert.is(status, answers === "nothing" ? 204 : 200, `${method} ${target}`);
        if (answers !== "nothing") assert.ok(`${status}` in endpoint.responses);
      }
    }
  }
});

Discovery("has no GET of a writing operation, so that no password gets into a query", () => {
  const verbs = { Registration: "post", Authenticate: "post", UpdateProfile: "post", SocialUsers: "get" };
  for (const [name, verb] of Object.entries(verbs)) {
    assert.equal(Object.keys(document.paths[`/json/reply/${name}`] ?? {}), [verb], name);
  }
});

Discovery("has the types of the public JSON", () => {
  // live-replies.test.ts compares the types of replies.
  const { UserSummary, Entities, SocialTimelinesRequest } = document.components.schemas;
  assert.equal(UserSummary?.properties?.profile_background_tile?.enum, ["true", "false"]);
  assert.equal(Entities?.required, ["urls", "user_mentions", "hashtags"]);
  assert.not.ok(UserSummary?.required?.includes("url"));
  assert.ok(UserSummary?.required?.includes("location"));
  assert.is(SocialTimelinesRequest?.required, undefined);
  const { take, sinceId } = SocialTimelinesRequest?.properties ?? {};
  assert.equal([take?.type, sinceId?.type], ["integer", "string"]);
});

Discovery("has no internal fields, and requires the fields that they fill", () => {
  assert.not.match(JSON.stringify(document), /"(?:sessionCookie|foreignCookie)"/);
  const { SocialTimelinesResponse, Status } = document.components.schemas;
  assert.equal(Object.keys(SocialTimelinesResponse?.properties ?? {}), ["results"]);
  const [, filled] = SocialTimelinesResponse?.properties?.results?.items?.allOf ?? [];
  assert.equal(filled?.required, ["user"]);
  assert.not.ok(Status?.required?.includes("user"));
});

Discovery("describes messages, fields and operations by the comments of the proto files", () => {
  const { schemas } = document.components;
  assert.is(schemas.Status?.properties?.text?.description, "The text.");
  const fields = Object.values(schemas).flatMap(({ properties }) => Object.entries(properties ?? {}));
  const all = [...Object.entries(schemas), ...fields];
  const undescribed = all.filter(([name, { description }]) => !description && name !== "responseStatus");
  assert.equal(undescribed, []);
});

Discovery("and the other descriptions say what the public JSON is, and nothing of our insides", async () => {
  const pages = ["/openapi.json", "/docs", "/metadata/SocialTimelines", "/types/typescript", "/types/csharp"];
  for (const path of pages) {
    const { text } = await gateway.send({ path });
    const inside =
      /[^.]*\b(?:gateway|internal|freshness|RPC|protobuf|unset|as author|attach|RESERVED_NAMES)\b[^.]*/i.exec(text);
    assert.is(inside?.[0], undefined, path);
  }
  const { SocialTimelinesResponse, Status } = document.components.schemas;
  assert.is(SocialTimelinesResponse?.properties?.results?.description, "The statuses, each with its user.");
  assert.is(Status?.properties?.user?.description, "The author. Left out inside a ProfileResult.");
});

Discovery("has an entity tag, answers 304 to it, and is available by JSONP", async () => {
  const path = "/openapi.json";
  const { headers } = await gateway.send({ path });
  assert.is(headers["content-type"], "application/json");
  const again = await gateway.send({ path, headers: { "if-none-match": headers.etag } });
  assert.equal([again.status, again.text], [304, ""]);
  const script = await gateway.send({ path: "/openapi.json?callback=show" });
  assert.ok(script.text.startsWith('show({"openapi":'));
  assert.is(script.headers.etag, undefined);
});

for (const path of ["/docs", "/Docs/{Name}", "/metadata/x", "/OPENAPI.json", "/json/metadata"]) {
  Discovery(`cannot be made for an operation at ${path}, which is a path of a page`, () => {
    const transport = createRouterTransport(() => {});
    const methods = [{ name: "Ask", paths: [path] }];
    const service = makeService({ methods, request: [{ name: "name", type: "STRING" }] });
    const operations = compileOperations([{ service, transport }]);
    assert.throws(() => addSite(Fastify(), operations), /is a path of the gateway's own pages/);
  });
}

Discovery.run();
