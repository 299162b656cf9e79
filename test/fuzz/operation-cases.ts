import fc from "fast-check";
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
  return fc.oneof({ weight: 8, arbitrary: values }, { weight: 1, arbitrary: fc.constant(undefined) });
}

function anyValue(field: PublicField): fc.Arbitrary<string | undefined> {
  return fc.oneof({ weight: 4, arbitrary: goodValue(field) }, { weight: 1, arbitrary: texts });
}

/** The callers: clients without a session and with one, and pages of this site and of others with the cookie. */
const bearer: [string, string] = ["authorization", `Bearer ${knownSession}`];
const cookie: [string, string] = ["cookie", `ss-id=${knownSession}`];
const callers = fc.oneof(
  { weight: 4, arbitrary: fc.constant([bearer]) },
  {
    weight: 5,
    arbitrary: fc.constantFrom<[string, string][]>(
      [],
      [cookie],
      [cookie, ["sec-fetch-site", "same-origin"]],
      [cookie, ["sec-fetch-site", "cross-site"]],
      [cookie, ["origin", "http://example.org"]],
    ),
  },
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
      return requestOf({ path, given, method, encoding, caller });
    });
}

interface RequestParts {
  path: string;
  given: readonly [string, string][];
  method: string;
  encoding: string;
  caller: readonly (readonly [string, string])[];
}

function requestOf({ path, given, method, encoding, caller }: RequestParts): FuzzCase {
  const inPath = path.replace(/\{(\w+)\}/g, (_, variable: string) => {
    const [, value = "x"] = given.find(([name]) => name.toLowerCase() === variable.toLowerCase()) ?? [];
    return urlText(value) || "x";
  });
  const rest = given.filter(([name]) => !path.toLowerCase().includes(`{${name.toLowerCase()}}`));
  const pairs = rest.map(([name, value]) => `${name}=${urlText(value)}`).join("&");
  const inBody = encoding === "json" || encoding === "form";
  const query = encoding === "callback" ? `?callback=f&${pairs}` : `?${pairs}`;
  const body = encoding === "json" ? JSON.stringify(Object.fromEntries(rest)) : pairs;
  const type = encoding === "json" ? "application/json" : "application/x-www-form-urlencoded";
  return {
    method,
    target: inPath + (inBody ? "" : query),
    headers: [...(inBody ? ([["content-type", type]] as const) : []), ...caller],
    body: Buffer.from(inBody ? body : ""),
    chunked: false,
  };
}

/** Requests of every operation, about half of them valid, by all kinds of callers. */
export const operationCases: fc.Arbitrary<FuzzCase> = fc.oneof(...publicOperations.map(casesOf));
