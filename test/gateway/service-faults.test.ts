import http, { type ServerResponse } from "node:http";
import net from "node:net";
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
import { freePort, listen } from "../support/listen.ts";
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
  assert.is(
    (await replyTo(invalidFields(bad))).text,
    '{"responseStatus":{"errorCode":"AlreadyExists","message":"UserName already exists","errors":[' +
      '{"errorCode":"AlreadyExists","fieldName":"userName","message":"UserName already exists"},' +
      '{"errorCode":"Length","fieldName":"password","message":"short"}]}}',
  );
});

ServiceFaults("answers 503 without an address when no service listens", async () => {
  const [status, text, retryAfter] = await ask(await freePort());
  assert.equal([status, retryAfter], [503, "1"]);
  assert.match(text, '"errorCode":"ServiceUnavailable"');
  assert.not.match(text, "127.0.0.1");
});

ServiceFaults("answers 503 when the connection breaks", async () => {
  const [status, text, retryAfter] = await askThrough(
    net.createServer((socket) => socket.once("data", () => socket.destroy())),
  );
  assert.equal([status, retryAfter], [503, "1"]);
  assert.match(text, '"errorCode":"ServiceUnavailable"');
});

ServiceFaults("answers 500, not 401, when the service refuses the gateway's token", async () => {
  const [status, text] = await askThrough(
    http.createServer((_request, response) => response.writeHead(401).end("A service token is needed.")),
  );
  assert.is(status, 500);
  assert.not.match(text, "token");
});

ServiceFaults("answers 503 when the service sends a reply that cannot be read", async () => {
  const [status] = await askThrough(http.createServer((_request, response) => response.end("nonsense")));
  assert.is(status, 503);
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
    const operation = (name: string) => {
      const found = operations.find((one) => one.name === name);
      if (found === undefined) throw new Error(name);
      return found;
    };
    const call = (name: string) => {
      const { call, method } = operation(name);
      return call(create(method.input), {}, performance.now() + 60_000);
    };
    const batch = () => {
      const { transport, method } = operation("SocialTimelines");
      return transport.unary(method, undefined, 60_000, undefined, create(method.input));
    };
    const calls: Record<string, () => Promise<unknown>> = {
      SocialFollowers: () => call("SocialFollowers"),
      PublishStatus: () => call("PublishStatus"),
      SocialTimelines: batch,
      ListVersions: () => clients.versions.listVersions({}),
      Authenticate: () => call("Authenticate"),
      Sessions: () => call("Sessions"),
    };
    for (const name of Object.keys(calls)) {
      slow = `/${name}`;
      const stuck = Array.from({ length: 70 }, async () => calls[name]?.().catch(() => {}));
      await eventually("the calls", async () => hanging.length >= 48);
      for (const [other, ask] of Object.entries(calls)) if (other !== name) await withTimeout(10_000, ask());
      slow = "/";
      for (const response of hanging.splice(0)) response.setHeader("content-type", "application/proto").end();
      await Promise.all(stuck);
    }
    assert.is(hanging.length, 0);
  } finally {
    clients.close();
    server.closeAllConnections();
    server.close();
  }
});

ServiceFaults.run();

type Answer = [status: number, text: string, retryAfter: string | null];

async function askThrough(server: net.Server): Promise<Answer> {
  const port = await listen(server);
  try {
    return await ask(port);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Requests a user from a gateway whose social service is at `port`. */
async function ask(port: number): Promise<Answer> {
  const config = loadConfig({ GATEWAY_PORT: "0", PAGE_CACHE_BYTES: "0", SOCIAL_URL: `http://127.0.0.1:${port}` });
  const gateway = await startGateway(config, createLog("gateway", "silent"));
  try {
    const reply = await fetch(`${gateway.url}/social/a`, { headers: { connection: "close" } });
    return [reply.status, await reply.text(), reply.headers.get("retry-after")];
  } finally {
    await gateway.close();
  }
}

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
  GET: (url, operation, fields) => askForText(`${url}/json/reply/${operation}?${queryOf(fields)}`),
  POST: (url, operation, fields) =>
    askForText(`${url}/api/${operation}`, { method: "POST", body: JSON.stringify(fields) }),
  "a form": (url, operation, fields) =>
    askForText(`${url}/json/syncreply/${operation}`, { method: "POST", body: new URLSearchParams(queryOf(fields)) }),
  async JSONP(url, operation, fields) {
    const [status, text] = await askForText(`${url}/json/reply/${operation}?callback=f&${queryOf(fields)}`);
    assert.is(status, 200);
    assert.match(text, /^f\(.*\)$/);
    return [text.includes("errorCode") ? 400 : 200, text.slice(2, -1)];
  },
  async "a batch"(url, operation, fields) {
    const [status, text] = await askForText(`${url}/json/reply/${operation}[]`, {
      method: "POST",
      body: JSON.stringify([fields]),
    });
    return [status, status === 200 ? text.slice(1, -1) : text];
  },
  "a Bearer": (url, operation, fields) =>
    askForText(`${url}/json/reply/${operation}?${queryOf(fields)}`, { headers: { authorization: "Bearer some" } }),
  "a cookie": (url, operation, fields) =>
    askForText(`${url}/json/reply/${operation}`, {
      method: "POST",
      headers: { cookie: "ss-id=some" },
      body: JSON.stringify(fields),
    }),
};

async function askForText(url: string, init: RequestInit = {}): Promise<Reply> {
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
