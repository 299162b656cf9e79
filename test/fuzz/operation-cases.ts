import fc from "fast-check";
import { weighted } from "../support/weighted.ts";
import type { FuzzCase } from "./fuzz-case.ts";
import { type PublicField, type PublicOperation, publicOperations } from "./public-operations.ts";
import { knownPassword, knownSession, knownStatus, texts, urlText } from "./texts.ts";

/** Likely valid values of fields whose kind is not enough; empty for no value. */
const good: Readonly<Record<string, readonly string[]>> = {
  screenName: ["walter", "walter", "bob", "unknown"],
  screenNames: ["walter,bob"],
  userIds: ["1,2"],
  id: [knownStatus],
  statusId: [knownStatus, ""],
  inReplyToStatusId: ["", "", knownStatus],
  inReplyToScreenName: ["", "", "walter"],
  text: ["hello @walter #tide https://example.org/", "hello"],
  mediaUrls: ["https://example.org/a.png"],
  lang: ["en"],
  latitude: ["", "", "12.5"],
  longitude: ["", "", "-7"],
  reason: ["spam"],
  provider: ["credentials", "", "logout"],
  userName: ["walter", "bob", "new-one"],
  email: ["", "a@example.org"],
  password: [knownPassword, "wrong horse", "wrong horse"],
  oldPassword: [knownPassword, "wrong horse"],
  newPassword: [knownPassword],
  continue: ["/home"],
  requestId: ["", "", "", "", "", "", "5b0c9e6e-0f3c-4f0e-9a51-0c1f6a1d2e01"],
  ifVersion: ["", "", "", "1"],
  utc_offset: ["-3600"],
  cursor: [""],
  q: ["hello", "hello from:walter", "wal", "東京", "été #tide"],
};

const byKind = { text: ["a"], number: ["5", "100"], "yes or no": ["true", "false"] };

function goodTexts({ name, kind }: PublicField): readonly string[] {
  if (name.endsWith("url")) return ["https://example.org/a.png"];
  if (name.endsWith("color")) return ["ff0000"];
  return good[name] ?? byKind[kind];
}

function goodValue(field: PublicField): fc.Arbitrary<string | undefined> {
  const values = fc.constantFrom(...goodTexts(field));
  return weighted([8, values], [1, fc.constant(undefined)]);
}

function anyValue(field: PublicField): fc.Arbitrary<string | undefined> {
  return weighted([4, goodValue(field)], [1, texts]);
}

/** The callers: clients without a session and with one, and pages of this site and of others with the cookie. */
const bearer: [string, string] = ["authorization", `Bearer ${knownSession}`];
const cookie: [string, string] = ["cookie", `ss-id=${knownSession}`];
const callers = weighted(
  [4, fc.constant([bearer])],
  [
    5,
    fc.constantFrom<[string, string][]>(
      [],
      [cookie],
      [cookie, ["sec-fetch-site", "same-origin"]],
      [cookie, ["sec-fetch-site", "cross-site"]],
      [cookie, ["origin", "http://example.org"]],
    ),
  ],
);

const encodings = fc.constantFrom("json", "json", "json", "form", "form", "query", "query", "callback");

function casesOf({ name, paths, fields }: PublicOperation): fc.Arbitrary<FuzzCase> {
  return fc
    .record({
      path: fc.constantFrom(...paths, `/json/reply/${name}`, `/api/${name}`),
      values: fc.oneof(fc.tuple(...fields.map(goodValue)), fc.tuple(...fields.map(anyValue))),
      method: fc.constantFrom("POST", "POST", "POST", "GET", "PUT", "DELETE"),
      encoding: encodings,
      caller: callers,
    })
    .map(({ path, values, method, encoding, caller }) => {
      const given = fields.flatMap((field, index): [string, string][] => {
        const value = values[index];
        return value === undefined ? [] : [[field.name, value]];
      });
      const { target, type, text } = requestOf(path, given, encoding);
      const headers = [...(type === undefined ? [] : [["content-type", type] as const]), ...caller];
      return { method, target, headers, body: Buffer.from(text), chunked: false };
    });
}

/** A request with these fields: those that the path names are in it, the others in the query or in the body. */
function requestOf(path: string, given: readonly [string, string][], encoding: string) {
  const inPath = path.replace(/\{(\w+)\}/g, (_, variable: string) => {
    const [, value = "x"] = given.find(([name]) => name.toLowerCase() === variable.toLowerCase()) ?? [];
    return urlText(value) || "x";
  });
  const rest = given.filter(([name]) => !path.toLowerCase().includes(`{${name.toLowerCase()}}`));
  const pairs = rest.map(([name, value]) => `${name}=${urlText(value)}`).join("&");
  if (encoding === "json") {
    return { target: inPath, type: "application/json", text: JSON.stringify(Object.fromEntries(rest)) };
  }
  if (encoding === "form") return { target: inPath, type: "application/x-www-form-urlencoded", text: pairs };
  return { target: `${inPath}?${encoding === "callback" ? "callback=f&" : ""}${pairs}`, text: "" };
}

/** Requests of every operation, about half of them valid, by all kinds of callers. */
export const operationCases: fc.Arbitrary<FuzzCase> = fc.oneof(...publicOperations.map(casesOf));
