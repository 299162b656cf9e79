import * as assert from "uvu/assert";
import type { JsonObject } from "../../gateway/binding/compile-binder.ts";
import type { Pairs } from "../../gateway/http/requests/form-pairs.ts";
import { suite } from "../support/suite.ts";
import { bad, outcome, refusal, registration, timeline, users } from "./bound-requests.ts";

const Binder = suite("gateway binder: sources");

Binder("matches names without regard to case and ignores unknown ones", () => {
  const request = registration({ USERNAME: "a", unknown: { deep: [] } }, [
    ["EMAIL", "b"],
    ["x", "\ud800"],
  ]);
  assert.is(request.userName, "a");
  assert.is(request.email, "b");
});

Binder("lets a stronger source win: JSON, then path, then query, then form", () => {
  const path: Pairs = [["screenName", "path"]];
  const query: Pairs = [["screenName", "query"]];
  const form: Pairs = [["screenName", "form"]];
  assert.is(timeline({ screenName: "json" }).screenName, "json");
  assert.is(timeline({ screenName: "json" }, path).screenName, "path");
  assert.is(timeline({ screenName: "json" }, path, query).screenName, "query");
  assert.is(timeline({ screenName: "json" }, path, query, form).screenName, "form");
});

Binder("replaces the list of a weaker source instead of adding to it", () => {
  assert.equal(users({ userIds: [1] }, [["userIds", "2"]]).userIds, [2n]);
});

Binder("never overrides a value with an empty one", () => {
  assert.is(timeline({ screenName: "json" }, [["screenName", ""]], [["screenName", "  "]]).screenName, "json");
  assert.is(timeline({ take: 5 }, [["take", ""]]).take, 5n);
  assert.equal(users({ userIds: [1] }, [["userIds", "[]"]]).userIds, [1n]);
});

Binder("lets an explicit false override a weaker true", () => {
  assert.is(registration({ autoLogin: true }, [["autoLogin", "false"]]).autoLogin, false);
});

Binder("refuses a scalar that one source gives twice with different values", () => {
  assert.is(
    outcome(() =>
      timeline({}, [
        ["take", "1"],
        ["TAKE", "2"],
      ]),
    ),
    bad,
  );
  assert.is(
    outcome(() =>
      registration({}, [
        ["userName", "a"],
        ["userName", "b"],
      ]),
    ),
    bad,
  );
  assert.is(
    timeline({}, [
      ["take", "1"],
      ["take", "1"],
      ["take", ""],
    ]).take,
    1n,
  );
});

Binder("counts the last of JSON keys that differ in case only, but never null", () => {
  assert.is(registration({ userName: "a", USERNAME: "b" }).userName, "b");
  assert.is(registration({ userName: "a", USERNAME: null }).userName, "a");
});

Binder("refuses an unreadable value even when a stronger source overrides it", () => {
  assert.is(
    outcome(() => timeline({ take: "x" }, [["take", "5"]])),
    bad,
  );
  assert.is(
    outcome(() => timeline({ take: 5 }, [["take", "x"]])),
    bad,
  );
});

Binder("reports all unreadable fields together, in the order of the request's table, each once", () => {
  const query: Pairs = [
    ["maxId", "-"],
    ["take", "x"],
    ["take", "y"],
  ];
  const { responseStatus } = refusal(() => timeline({ sinceId: "z", maxId: 1.5 }, query));
  assert.equal(
    responseStatus.errors.map((error) => error.fieldName),
    ["take", "sinceId", "maxId"],
  );
  assert.equal(
    responseStatus.errors.map((error) => error.errorCode),
    Array(3).fill("SerializationException"),
  );
  assert.is(responseStatus.message, "'Take' should be a whole number.");
  assert.is(responseStatus.errorCode, "SerializationException");
});

Binder("never repeats a value in an error", () => {
  const { responseStatus } = refusal(() => registration({ password: "hunter2\0", autoLogin: "hunter2" }));
  assert.not.match(
    JSON.stringify(responseStatus, (_, value) => value as unknown),
    "hunter2",
  );
});

Binder("treats __proto__ and constructor as unknown names", () => {
  const json = JSON.parse('{"__proto__":{"userName":"a"},"constructor":{"prototype":{"userName":"b"}}}') as JsonObject;
  assert.is(
    registration(json, [
      ["__proto__", "c"],
      ["constructor", "d"],
    ]).userName,
    "",
  );
  assert.is(({} as { userName?: string }).userName, undefined);
});

Binder("leaves missing fields unset", () => {
  assert.equal({ ...timeline({}) }, { $typeName: "social.v1.SocialTimelinesRequest", screenName: "" });
});

Binder.run();
