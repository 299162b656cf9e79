import { createServer, type IncomingMessage, request as startRequest } from "node:http";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type HandlerContext, type Interceptor } from "@connectrpc/connect";
import { connectNodeAdapter, createConnectTransport } from "@connectrpc/connect-node";
import * as assert from "uvu/assert";
import {
  SocialService,
  type SocialTimelinesRequest,
  SocialTimelinesRequestSchema,
  SocialUsersRequestSchema,
} from "../../proto/gen/social/v1/social_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { createUnaryCalls } from "../../services/platform/connect/unary-calls.ts";
import { tooManyRequests } from "../../services/platform/errors.ts";
import { listen, stopListening } from "../support/listen.ts";
import { suite } from "../support/suite.ts";

const UnaryCalls = suite("unary calls");

/** Whether each request was served by createUnaryCalls. */
const served: boolean[] = [];
const seen: string[] = [];
let lastCall: HandlerContext | undefined;

const watch: Interceptor = (next) => async (request) => {
  seen.push(`${request.method.name} ${new URL(request.url).pathname} ${request.header.get("roost-caller")}`);
  const response = await next(request);
  response.header.set("x-watched", "yes");
  return response;
};
const calls = createUnaryCalls([watch], 1_000, 60_000);
const adapter = connectNodeAdapter({
  routes: (router) => calls.record(router).service(SocialService, { socialUsers, socialTimelines }),
  interceptors: [watch],
  acceptCompression: [],
  readMaxBytes: 1_000,
  maxTimeoutMs: 60_000,
});
const server = createServer((request, response) => {
  served.push(calls.serve(request, response));
  if (!served.at(-1)) adapter(request, response);
});

function socialUsers({ screenNames }: { screenNames: string[] }, call: HandlerContext) {
  lastCall = call;
  call.responseHeader.set("x-names", `${screenNames.length}`);
  return { results: screenNames.map((screenName) => ({ screenName })) };
}

async function socialTimelines({ screenName }: SocialTimelinesRequest, call: HandlerContext) {
  lastCall = call;
  if (screenName === "busy") throw tooManyRequests(7);
  if (screenName === "relayed") throw new ConnectError("away", Code.Unavailable, ofOtherService);
  if (screenName === "unsendable") call.responseHeader.set("x-names", "\u0001");
  if (screenName === "defect") throw new Error("a secret");
  if (screenName === "wait") {
    await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
    throw call.signal.reason;
  }
  call.responseTrailer.set("x-end", "here");
  return {};
}

/** Headers of the reply that another service gave: they come with its error. */
const ofOtherService = {
  connection: "close",
  date: "Thu, 01 Jan 1970 00:00:00 GMT",
  "keep-alive": "timeout=1",
  "transfer-encoding": "chunked",
  "retry-after": "7",
};

let url = "";
let own: ReturnType<typeof createServiceTransport>;
UnaryCalls.before(async () => {
  url = `http://127.0.0.1:${await listen(server)}`;
  own = createServiceTransport({ baseUrl: url, caller: "test" });
});
UnaryCalls.before.each(() => {
  served.length = seen.length = 0;
});
UnaryCalls.after(async () => {
  own.close();
  await stopListening(server);
});

const oneName = toBinary(SocialUsersRequestSchema, create(SocialUsersRequestSchema, { screenNames: ["a"] }));
const ownClient = () => createClient(SocialService, own.transport);
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "OK",
    (error) => Code[ConnectError.from(error).code],
  );

UnaryCalls("serves our own client with messages, headers and interceptors as the library does", async () => {
  const library = createConnectTransport({ baseUrl: url, httpVersion: "1.1", useBinaryFormat: true });
  const answers = [];
  for (const transport of [own.transport, library]) {
    const headers: string[] = [];
    const onHeader = (header: Headers) => headers.push(`${header.get("x-names")} ${header.get("x-watched")}`);
    const options = { onHeader, headers: { "roost-caller": "test" } };
    const { results } = await createClient(SocialService, transport).socialUsers({ screenNames: ["a", "ß"] }, options);
    answers.push([results.map((user) => user.screenName), headers]);
  }
  assert.equal(answers[0], [["a", "ß"], ["2 yes"]]);
  assert.equal(answers[1], answers[0]);
  assert.equal(seen, Array(2).fill("SocialUsers /social.v1.SocialService/SocialUsers test"));
  assert.is(served[0], true);
});

UnaryCalls("answers errors with code, details and headers, and keeps the text of a defect", async () => {
  const error = ConnectError.from(
    await ownClient()
      .socialTimelines({ screenName: "busy" })
      .catch((reason) => reason),
  );
  assert.is(error.code, Code.ResourceExhausted);
  assert.is(error.metadata.get("retry-after"), "7");
  assert.is(error.details.length, 1);
  const defect = ConnectError.from(
    await ownClient()
      .socialTimelines({ screenName: "defect" })
      .catch((reason) => reason),
  );
  assert.is(defect.message, "[internal] internal error");
  assert.equal(served, [true, true]);
});

UnaryCalls("sends trailers as headers", async () => {
  const trailers: (string | null)[] = [];
  const onHeader = (header: Headers) => void trailers.push(header.get("trailer-x-end"));
  await ownClient().socialTimelines({ screenName: "a" }, { onHeader });
  assert.equal([trailers, served], [["here"], [true]]);
});

UnaryCalls("lets caller and handler know the deadline", async () => {
  await ownClient().socialUsers({}, { timeoutMs: 5_000 });
  const leftMs = lastCall?.timeoutMs() ?? 0;
  assert.ok(leftMs > 1_000 && leftMs <= 5_000, `${leftMs}`);
  const code = await codeOf(ownClient().socialTimelines({ screenName: "wait" }, { timeoutMs: 50 }));
  assert.is(code, "DeadlineExceeded");
  await until(() => lastCall?.signal.aborted);
});

UnaryCalls("aborts a handler whose caller leaves, and one that asks late", async () => {
  const leaving = new AbortController();
  const call = codeOf(ownClient().socialTimelines({ screenName: "wait" }, { signal: leaving.signal }));
  lastCall = undefined;
  await until(() => lastCall !== undefined);
  leaving.abort();
  assert.is(await call, "Canceled");
  await until(() => lastCall?.signal.aborted);
  assert.is(await codeOf(ownClient().socialUsers({}, { signal: leaving.signal })), "Canceled");
  await ownClient().socialUsers({});
  await until(() => lastCall?.signal.aborted);
});

const relayed = toBinary(SocialTimelinesRequestSchema, create(SocialTimelinesRequestSchema, { screenName: "relayed" }));

UnaryCalls("passes the error of another service on without the headers of its connection", async () => {
  const headers = { "content-type": "application/proto", "content-length": `${relayed.length}` };
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const path = `${url}/social.v1.SocialService/SocialTimelines`;
    startRequest(path, { method: "POST", headers }, (incoming) => resolve(incoming.resume()))
      .once("error", reject)
      .end(relayed);
  });
  const { statusCode, headers: given } = reply;
  assert.equal([statusCode, given["retry-after"], served], [503, "7", [true]]);
  assert.equal([given["transfer-encoding"], given.connection], [undefined, "keep-alive"]);
  for (const name of ["keep-alive", "date"] as const) assert.is.not(given[name], ofOtherService[name]);
});

UnaryCalls("leaves everything else to the library", async () => {
  const usual = { "content-type": "application/proto", "content-length": `${oneName.length}` };
  const post = (headers: Record<string, string>, path = "SocialUsers", bytes = oneName) =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = { method: "POST", headers: { ...usual, ...headers } };
      const request = startRequest(`${url}/social.v1.SocialService/${path}`, options, (reply) =>
        reply.resume().once("end", () => resolve(reply.statusCode)),
      );
      request.once("error", reject).end(bytes);
    });
  assert.equal([await post({}), served], [200, [true]]);
  served.length = 0;
  const statuses = [
    await post({ "content-type": "application/json" }, "SocialUsers", Buffer.from("{}".padEnd(oneName.length))),
    await post({ "content-type": "text/plain" }),
    await post({ "content-encoding": "br" }),
    await post({ "connect-timeout-ms": "60001" }),
    await post({ "connect-timeout-ms": "soon" }),
    await post({ "content-length": "1001" }, "SocialUsers", Buffer.alloc(1_001)),
    await post({}, "Nothing"),
  ];
  assert.equal(statuses, [200, 415, 501, 400, 400, 429, 404]);
  assert.equal(served, Array(7).fill(false));
});

UnaryCalls("reads a request that comes in pieces, and forgets one that breaks off", async () => {
  const options = {
    method: "POST",
    headers: { "content-type": "application/proto", "content-length": `${oneName.length}` },
  };
  const path = `${url}/social.v1.SocialService/SocialUsers`;
  const broken = startRequest(path, options).once("error", () => {});
  broken.write(oneName.subarray(0, 1));
  await until(() => served.length === 1);
  broken.destroy();
  const names = await new Promise((resolve) => {
    const request = startRequest(path, options, (reply) => resolve(reply.resume().headers["x-names"]));
    request.write(oneName.subarray(0, 2));
    setTimeout(() => request.end(oneName.subarray(2)), 20);
  });
  assert.equal([names, served], ["1", [true, true]]);
});

UnaryCalls("refuses bytes that are no message", async () => {
  const reply = await fetch(`${url}/social.v1.SocialService/SocialUsers`, {
    method: "POST",
    headers: { "content-type": "application/proto" },
    body: "garbage",
  });
  assert.is(((await reply.json()) as { code: string }).code, "internal");
  assert.equal(served, [true]);
});

/** Less than the deadline of a call, which would abort it as well. */
const waitMs = 5_000;

async function until(isSo: () => boolean | undefined): Promise<void> {
  for (const end = performance.now() + waitMs; !isSo(); ) {
    assert.ok(performance.now() < end, `${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

UnaryCalls("end the connection of a call whose answer has a header that cannot be sent", async () => {
  const { socialTimelines: ask } = createClient(SocialService, own.transport);
  const error = await ask({ screenName: "unsendable" }, { timeoutMs: 20_000 }).catch((failed: ConnectError) => failed);
  assert.is(error instanceof ConnectError && Code[error.code], "Unavailable");
});

UnaryCalls.run();
