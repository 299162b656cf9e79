import * as assert from "uvu/assert";
import { loadConfig } from "../../gateway/config.ts";
import { startGateway } from "../../gateway/server.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { createLog } from "../../services/platform/log.ts";
import { freePort } from "../support/free-port.ts";
import { suite } from "../support/suite.ts";

const Rules = suite("rules of requests, while every service is unavailable");
const running: Running[] = [];

Rules.before(async () => {
  const [accountPort, socialPort] = [await freePort(), await freePort()];
  for (const pageCacheBytes of ["0", "1000000"]) {
    const config = loadConfig({
      GATEWAY_PORT: "0",
      ACCOUNT_URL: `http://127.0.0.1:${accountPort}`,
      SOCIAL_URL: `http://127.0.0.1:${socialPort}`,
      PAGE_CACHE_BYTES: pageCacheBytes,
    });
    running.push(await startGateway(config, createLog("test", "silent")));
  }
});
Rules.after(async () => {
  for (const one of running) await one.close();
});

type Fields = Record<string, string | number | string[]>;
type Reply = [status: number, text: string];

/** All forms of a request: GET, POST, JSONP and batch, anonymous and with a session. */
const forms: Record<string, (url: string, operation: string, fields: Fields) => Promise<Reply>> = {
  GET: (url, operation, fields) => ask(`${url}/json/reply/${operation}?${queryOf(fields)}`),
  POST: (url, operation, fields) => ask(`${url}/api/${operation}`, { method: "POST", body: JSON.stringify(fields) }),
  "a form": (url, operation, fields) =>
    ask(`${url}/json/syncreply/${operation}`, { method: "POST", body: new URLSearchParams(queryOf(fields)) }),
  async JSONP(url, operation, fields) {
    const [status, text] = await ask(`${url}/json/reply/${operation}?callback=f&${queryOf(fields)}`);
    assert.is(status, 200);
    assert.match(text, /^f\(.*\)$/);
    return [text.includes("errorCode") ? 400 : 200, text.slice(2, -1)];
  },
  async "a batch"(url, operation, fields) {
    const [status, text] = await ask(`${url}/json/reply/${operation}[]`, {
      method: "POST",
      body: JSON.stringify([fields]),
    });
    return [status, status === 200 ? text.slice(1, -1) : text];
  },
  "a Bearer": (url, operation, fields) =>
    ask(`${url}/json/reply/${operation}?${queryOf(fields)}`, { headers: { authorization: "Bearer some" } }),
  "a cookie": (url, operation, fields) =>
    ask(`${url}/json/reply/${operation}`, {
      method: "POST",
      headers: { cookie: "ss-id=some" },
      body: JSON.stringify(fields),
    }),
};

async function ask(url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, init);
  return [response.status, await response.text()];
}

function queryOf(fields: Fields): string {
  return new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, `${value}`]),
  ).toString();
}

async function inEveryForm(operation: string, fields: Fields, check: (reply: Reply, way: string) => void) {
  for (const { url } of running) {
    for (const [way, send] of Object.entries(forms))
      check(await send(url, operation, fields), `${operation} by ${way}`);
  }
}

/** The entries of a refusal as `field code`, in their order. */
function namedBy([status, text]: Reply): string[] {
  const { errors = [], ...first } = (JSON.parse(text) as { responseStatus: Record<string, never> }).responseStatus as {
    errorCode?: string;
    message?: string;
    errors?: { errorCode: string; fieldName: string; message: string }[];
  };
  assert.equal([status, first.errorCode, first.message], [400, errors[0]?.errorCode, errors[0]?.message]);
  return errors.map(({ errorCode, fieldName }) => `${fieldName} ${errorCode}`);
}

const long = "x".repeat(65);
const refusals: [operation: string, fields: Fields, bad: string[]][] = [
  ["SocialTimelines", { screenName: "ann", take: 0 }, ["take InclusiveBetween"]],
  ["SocialTimelines", { screenName: "ann", take: -5 }, ["take InclusiveBetween"]],
  ["SocialTimelines", {}, ["screenName NotEmpty"]],
  ["SocialTimelines", { screenName: " ", take: 0 }, ["screenName NotEmpty", "take InclusiveBetween"]],
  ["SocialTimelines", { screenName: "ann", maxId: "9007199254740992" }, ["maxId SerializationException"]],
  ["SocialFollowers", { screenName: "ann", take: 0 }, ["take InclusiveBetween"]],
  ["SocialStatus", { screenName: " " }, ["screenName NotEmpty", "id NotEmpty"]],
  ["Registration", {}, ["userName NotEmpty", "email NotEmpty", "password NotEmpty"]],
  ["Registration", { userName: "a b", password: "correct horse" }, ["userName RegularExpression"]],
  ["Registration", { userName: "IDS", password: " " }, ["userName RegularExpression", "password NotEmpty"]],
  ["Registration", { userName: "x".repeat(37), email: "no" }, ["userName Length", "email Email", "password NotEmpty"]],
  [
    "Registration",
    { email: "a@b.co", firstName: long, lastName: long, displayName: "\u202e", password: "x".repeat(1025) },
    ["firstName Length", "lastName Length", "displayName RegularExpression", "password Length"],
  ],
  ["Registration", { userName: "ann", password: "correct horse", continue: "//evil.example" }, ["continue InvalidUrl"]],
];
for (const [operation, fields, bad] of refusals) {
  Rules(`refuse ${operation} for ${bad.join(", ")}`, async () => {
    await inEveryForm(operation, fields, (reply, way) => assert.equal(namedBy(reply), bad, way));
  });
}

Rules("answer a lookup without names and ids with an empty list", async () => {
  for (const fields of [{}, { userIds: [], screenNames: [] }] as Fields[]) {
    await inEveryForm("SocialUsers", fields, (reply, way) => assert.equal(reply, [200, '{"results":[]}'], way));
  }
});

Rules("do not answer valid requests, which get 503", async () => {
  const fine: [string, Fields][] = [
    ["SocialTimelines", { screenName: "ann", take: 1 }],
    ["SocialTimelines", { screenName: "ann", take: "9".repeat(30) }],
    ["SocialUsers", { screenNames: ["ann"] }],
    ["Registration", { userName: "ann", password: "correct horse" }],
  ];
  for (const [operation, fields] of fine) {
    for (const { url } of running) {
      const [status, text] = await (forms.POST as (typeof forms)[string])(url, operation, fields);
      assert.is(status, 503, operation);
      assert.match(text, "ServiceUnavailable");
    }
  }
});

Rules.run();
