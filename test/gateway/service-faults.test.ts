import http, { type ServerResponse } from "node:http";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { createServiceClients } from "../../gateway/clients.ts";
import { loadConfig } from "../../gateway/config.ts";
import { compileOperations } from "../../gateway/operations/operation-table.ts";
import { startGateway } from "../../gateway/server.ts";
import { ResponseStatusSchema } from "../../proto/gen/contract/v1/response_status_pb.ts";
import { badField, invalidFields } from "../../services/platform/errors.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { createLog } from "../../services/platform/log.ts";
import { withTimeout } from "../../services/platform/with-timeout.ts";
import { eventually } from "../support/eventually.ts";
import { freePort, listen, stopListening } from "../support/listen.ts";
import { suite } from "../support/suite.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";

const ServiceFaults = suite("gateway with transport errors of services");

let gateway: FakeGateway;
ServiceFaults.before(async () => {
  gateway = await startFakeGateway();
});
ServiceFaults.after(() => gateway.stop());

const secret = "connect ECONNREFUSED 10.0.0.7:4001";
const details = { errorCode: "Given", message: "As given." };

type Row = [code: Code, status: number, withDetails: string, withoutDetails: string, retryAfter?: number];
const rows: Row[] = [
  [Code.Canceled, 500, "InternalServerError", "InternalServerError"],
  [Code.Unknown, 500, "InternalServerError", "InternalServerError"],
  [Code.InvalidArgument, 400, "Given", "BadRequest"],
  [Code.DeadlineExceeded, 504, "Timeout", "Timeout"],
  [Code.NotFound, 404, "Given", "NotFound"],
  [Code.AlreadyExists, 400, "Given", "BadRequest"],
  [Code.PermissionDenied, 403, "Given", "InternalServerError"],
  [Code.ResourceExhausted, 429, "Given", "TooManyRequests", 1],
  [Code.FailedPrecondition, 400, "Given", "BadRequest"],
  [Code.Aborted, 503, "ServiceUnavailable", "ServiceUnavailable", 1],
  [Code.OutOfRange, 400, "Given", "BadRequest"],
  [Code.Unimplemented, 405, "Given", "NotImplementedException"],
  [Code.Internal, 500, "InternalServerError", "InternalServerError"],
  [Code.Unavailable, 503, "ServiceUnavailable", "ServiceUnavailable", 1],
  [Code.DataLoss, 500, "InternalServerError", "InternalServerError"],
  [Code.Unauthenticated, 401, "Given", "InternalServerError"],
];

ServiceFaults("answers every code of Connect", () => {
  assert.is(new Set(rows.map(([code]) => code)).size, Object.keys(Code).length / 2);
});

/** The reply to a request whose service throws. */
async function replyTo(error: unknown) {
  gateway.answers.socialUsers = () => {
    throw error;
  };
  const { status, text, headers } = await gateway.send({ path: "/social/a" });
  assert.not.match(text, /10\.0\.0\.7|stack/);
  const { errorCode, message } = (JSON.parse(text) as { responseStatus: typeof details }).responseStatus;
  assert.is(message.includes("Reference: "), status >= 500);
  return { status, text, errorCode, retryAfter: headers["retry-after"] };
}

for (const [code, status, withDetails, withoutDetails, retryAfter] of rows) {
  ServiceFaults(
    `answers ${Code[code]} with details by ${status} ${withDetails}, else by ${withoutDetails}`,
    async () => {
      const value = { ...details, stackTrace: "at stack.ts" };
      const detailed = new ConnectError(secret, code, undefined, [{ desc: ResponseStatusSchema, value }]);
      const given = await replyTo(detailed);
      assert.equal([given.status, given.errorCode, given.retryAfter], [status, withDetails, retryAfter?.toString()]);
      if (withDetails === "Given")
        assert.is(given.text, '{"responseStatus":{"errorCode":"Given","message":"As given."}}');
      assert.is((await replyTo(new ConnectError(secret, code))).errorCode, withoutDetails);
    },
  );
}

ServiceFaults("passes on the fields of a service's error", async () => {
  const bad = [
    badField("userName", "AlreadyExists", "UserName already exists"),
    badField("password", "Length", "short"),
  ];
  const [first, second] = bad.map(({ errorCode, fieldName, message }) => ({ errorCode, fieldName, message }));
  const responseStatus = { errorCode: first?.errorCode, message: first?.message, errors: [first, second] };
  assert.is((await replyTo(invalidFields(bad))).text, JSON.stringify({ responseStatus }));
});

ServiceFaults("answers 500, not 401, when the service refuses the gateway's token", async () => {
  const service = http.createServer((_request, response) => response.writeHead(401).end("A service token is needed."));
  const refused = await startWith({ SOCIAL_URL: `http://127.0.0.1:${await listen(service)}` });
  const reply = await fetch(`${refused.url}/social/a`, { headers: { connection: "close" } });
  assert.is(reply.status, 500);
  assert.not.match(await reply.text(), "token");
  await refused.close();
  await stopListening(service);
});

// Each kind of call has connections of its own.
ServiceFaults("answers batches, writes and versions while single reads hang, and the other way round", async () => {
  const hanging: ServerResponse[] = [];
  let slow = "/";
  const server = http.createServer((request, response) => {
    request.resume();
    if (request.url?.endsWith(slow)) hanging.push(response);
    else response.setHeader("content-type", "application/proto").end();
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  const clients = createServiceClients(loadConfig({ ACCOUNT_URL: url, SOCIAL_URL: url }));
  try {
    const operations = compileOperations(clients.services);
    const operation = (name: string) => operations.find((one) => one.name === name) as (typeof operations)[number];
    const batch = () => {
      const { transport, method } = operation("SocialTimelines");
      return transport.unary(method, undefined, 60_000, undefined, create(method.input));
    };
    const calls: Record<string, () => Promise<unknown>> = {
      SocialTimelines: batch,
      ListVersions: () => clients.versions.listVersions({}),
    };
    for (const name of ["SocialFollowers", "PublishStatus", "Authenticate", "Sessions"]) {
      const { call, method } = operation(name);
      calls[name] = () => call(create(method.input), {}, performance.now() + 60_000);
    }
    for (const [name, call] of Object.entries(calls)) {
      slow = `/${name}`;
      const stuck = Array.from({ length: 70 }, () => call().catch(() => {}));
      await eventually("the calls", async () => hanging.length >= 48);
      for (const [other, ask] of Object.entries(calls)) if (other !== name) await withTimeout(10_000, ask());
      slow = "/";
      for (const response of hanging.splice(0)) response.setHeader("content-type", "application/proto").end();
      await Promise.all(stuck);
    }
    assert.is(hanging.length, 0);
  } finally {
    clients.close();
    await stopListening(server);
  }
});

ServiceFaults.run();

/** Starts a gateway with services of its own, and without a cache. */
function startWith(settings: NodeJS.ProcessEnv): Promise<Running> {
  const config = loadConfig({ GATEWAY_PORT: "0", PAGE_CACHE_BYTES: "0", ...settings });
  return startGateway(config, createLog("gateway", "silent"));
}

const Rules = suite("rules of requests, while every service is unavailable");
const running: Running[] = [];

Rules.before(async () => {
  const [account, social] = [await freePort(), await freePort()];
  const services = { ACCOUNT_URL: `http://127.0.0.1:${account}`, SOCIAL_URL: `http://127.0.0.1:${social}` };
  running.push(await startWith(services), await startWith({ ...services, PAGE_CACHE_BYTES: "1000000" }));
});
Rules.after(async () => {
  for (const one of running) await one.close();
});

type Fields = Record<string, string>;
type Request = [path: string, init?: RequestInit];

const query = (fields: Fields) => `${new URLSearchParams(fields)}`;
const post = (path: string, body: unknown): Request => [path, { method: "POST", body: JSON.stringify(body) }];
const bearer = { headers: { authorization: "Bearer some" } };
const forms: Record<string, (operation: string, fields: Fields) => Request> = {
  GET: (operation, fields) => [`/json/reply/${operation}?${query(fields)}`],
  POST: (operation, fields) => post(`/api/${operation}`, fields),
  JSONP: (operation, fields) => [`/json/reply/${operation}?callback=f&${query(fields)}`],
  "a batch": (operation, fields) => post(`/json/reply/${operation}[]`, [fields]),
  "a Bearer": (operation, fields) => [`/json/reply/${operation}?${query(fields)}`, bearer],
};

/** Checks the replies of both gateways to a request in each form, without the callback and the brackets around them. */
async function inEveryForm(
  operation: string,
  fields: Fields,
  status: number,
  check: (json: string, form: string) => void,
) {
  for (const { url } of running) {
    for (const [form, request] of Object.entries(forms)) {
      const [path, init] = request(operation, fields);
      const response = await fetch(url + path, init);
      const text = await response.text();
      assert.is(response.status, form === "JSONP" ? 200 : status, `${form} ${text}`);
      if (form === "JSONP") assert.match(text, /^f\(.*\)$/);
      check(text.replace(/^f\(|\)$|^\[|\]$/g, ""), form);
    }
  }
}

const long = "x".repeat(65);
const refusals: [operation: string, fields: Fields, bad: string[]][] = [
  ["SocialTimelines", { screenName: " ", take: "0" }, ["screenName NotEmpty", "take InclusiveBetween"]],
  ["SocialTimelines", { screenName: "ann", maxId: "9007199254740992" }, ["maxId SerializationException"]],
  ["SocialFollowers", { screenName: "ann", take: "0" }, ["take InclusiveBetween"]],
  ["SocialStatus", { screenName: " " }, ["screenName NotEmpty", "id NotEmpty"]],
  ["Registration", {}, ["userName NotEmpty", "email NotEmpty", "password NotEmpty"]],
  ["Registration", { userName: "x".repeat(37), email: "no" }, ["userName Length", "email Email", "password NotEmpty"]],
  [
    "Registration",
    { email: "a@b.co", firstName: long, lastName: long, displayName: "\u202e", password: "x".repeat(1025) },
    ["firstName Length", "lastName Length", "displayName RegularExpression", "password Length"],
  ],
  ["Registration", { userName: "ann", password: "correct horse", continue: "//evil.example" }, ["continue InvalidUrl"]],
];
for (const [operation, fields, bad] of refusals) {
  Rules(`refuse ${operation} for ${bad.join(", ")}`, () =>
    inEveryForm(operation, fields, 400, (json, form) => {
      const { responseStatus } = JSON.parse(json) as { responseStatus: { errors: { [name: string]: string }[] } };
      const { errors } = responseStatus;
      assert.equal(
        errors.map(({ fieldName, errorCode }) => `${fieldName} ${errorCode}`),
        bad,
        form,
      );
    }),
  );
}

Rules("answer a lookup without names and ids with an empty list", async () => {
  for (const fields of [{}, { userIds: "", screenNames: "" }] as Fields[]) {
    await inEveryForm("SocialUsers", fields, 200, (json, form) => assert.is(json, '{"results":[]}', form));
  }
});

Rules("do not answer valid requests, which get 503", async () => {
  const fine: Request[] = [
    ["/social/ann/timelines?take=1"],
    [`/social/ann/timelines?take=${"9".repeat(30)}`],
    ["/social/ann"],
    post("/register", { userName: "ann", password: "correct horse" }),
  ];
  for (const [path, init] of fine) {
    for (const { url } of running) {
      const response = await fetch(url + path, init);
      assert.equal([response.status, response.headers.get("retry-after")], [503, "1"], path);
      assert.match(await response.text(), /"ServiceUnavailable","message":"[A-Z a-z]+\. Reference: [0-9a-f]+"\}\}$/);
    }
  }
});

Rules.run();
