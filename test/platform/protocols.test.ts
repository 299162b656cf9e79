import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import * as grpc from "@grpc/grpc-js";
import * as assert from "uvu/assert";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { SocialService, SocialTimelinesRequestSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { serveRpc } from "../../services/platform/connect/server.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { createLog } from "../../services/platform/log.ts";
import { suite } from "../support/suite.ts";

const Protocols = suite("rpc server for clients of other makers");
let server: Running;
/** The milliseconds that the last call of SocialUsers had left. */
let lastTimeoutMs: number | undefined;

Protocols.before(async () => {
  server = await serveRpc({ host: "127.0.0.1", port: 0, log: createLog("test", "silent") }, (router) =>
    router.service(SocialService, {
      socialUsers({ screenNames }, call) {
        lastTimeoutMs = call.timeoutMs();
        return { results: screenNames.map((screenName) => ({ screenName })) };
      },
      socialTimelines({ screenName }) {
        const [, text] = /^refuse (.+)$/s.exec(screenName) ?? [];
        if (text !== undefined) throw new ConnectError(text, Code.InvalidArgument);
        return {};
      },
    }),
  );
});
Protocols.after(() => server.close());

const transports = {
  Connect: () => createConnectTransport({ baseUrl: server.url, httpVersion: "1.1" }),
  gRPC: () => createGrpcTransport({ baseUrl: server.url }),
  "gRPC-Web": () => createGrpcWebTransport({ baseUrl: server.url, httpVersion: "1.1" }),
};

/** More than a message may have. */
const tooLong = 5 * 1024 * 1024;

const grpcPath = "/social.v1.SocialService";
/** Sends a request that none of the clients would send. */
const post = (headers: Record<string, string>, body: string | Buffer) =>
  fetch(`${server.url}${grpcPath}/SocialUsers`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
const asIs = (bytes: Buffer) => bytes;
const withText = (text: string) =>
  Buffer.from(toBinary(SocialTimelinesRequestSchema, create(SocialTimelinesRequestSchema, { screenName: text })));

/** The error of a call by @grpc/grpc-js, null for none. */
async function failureByGrpc(text: string, options: grpc.CallOptions = {}, channel: grpc.ChannelOptions = {}) {
  const client = new grpc.Client(new URL(server.url).host, grpc.credentials.createInsecure(), channel);
  try {
    return await new Promise<grpc.ServiceError | null>((resolve) => {
      const metadata = new grpc.Metadata();
      client.makeUnaryRequest(`${grpcPath}/SocialTimelines`, asIs, asIs, withText(text), metadata, options, resolve);
    });
  } finally {
    client.close();
  }
}

Protocols("gives the text of an error to @grpc/grpc-js as it was written", async () => {
  for (const text of ["a, b: c/d @e = 'f' (100 %)", "%2C %", "ä €\n😀", " ", "~!#$&*+;?[]{}"]) {
    const error = await failureByGrpc(`refuse ${text}.`);
    assert.is(error?.details, `${text}.`);
    const refusal = createClient(SocialService, transports.gRPC()).socialTimelines({ screenName: `refuse ${text}.` });
    assert.is(((await refusal.catch(ConnectError.from)) as ConnectError).rawMessage, `${text}.`);
  }
});

Protocols("takes compressed requests, and answers them uncompressed", async () => {
  const gzip = { "grpc.default_compression_algorithm": grpc.compressionAlgorithms.gzip };
  assert.is(await failureByGrpc("x".repeat(10_000), {}, gzip), null);
  assert.is((await failureByGrpc("x".repeat(tooLong), {}, gzip))?.code, grpc.status.RESOURCE_EXHAUSTED);
  const headers = { "content-encoding": "gzip", "accept-encoding": "gzip" };
  const reply = await post(headers, gzipSync(JSON.stringify({ screenNames: ["x".repeat(10_000)] })));
  assert.equal([reply.status, reply.headers.get("content-encoding")], [200, null]);
  assert.ok((await reply.text()).length > 10_000);
});

Protocols("gives calls one minute at most, and less where they ask for less", async () => {
  const hour = 3_600_000;
  for (const ms of [undefined, hour, 1_000_000_000, 61_000, 60_000, 30_000]) {
    for (const name of ["Connect", "gRPC", "gRPC-Web"] as const) {
      const { socialUsers } = createClient(SocialService, transports[name]());
      await socialUsers({}, ms === undefined ? {} : { timeoutMs: ms });
      const [left, most] = [lastTimeoutMs ?? 0, Math.min(60_000, ms ?? hour)];
      assert.ok(left > most - 20_000 && left <= most, `${name} ${ms}: ${left}`);
    }
  }
  assert.is(await failureByGrpc("any", { deadline: Date.now() + 1_000 * hour }), null);
  for (const value of ["soon", "60001S"]) {
    assert.is((await post({ "connect-timeout-ms": value }, "{}")).status, 400);
  }
});

Protocols("refuses gRPC-Web in base64 with a text that says what is served", async () => {
  for (const type of ["application/grpc-web-text", "application/grpc-web-text+proto"]) {
    const reply = await post({ "content-type": type }, "AAAAAAA=");
    assert.equal([reply.status, reply.headers.get("grpc-status"), await reply.text()], [200, "12", ""]);
    assert.match(reply.headers.get("grpc-message") ?? "", "send application/grpc-web+proto, gRPC or Connect");
  }
});

Protocols("lets a stream last as long as its caller wants", async () => {
  // The client itself can wait for 2,147,483,647 ms at most.
  for (const headers of [{}, { "connect-timeout-ms": "70000" }, { "connect-timeout-ms": "2147483648" }]) {
    const ended = new AbortController();
    const calls = createClient(Health, transports.Connect());
    const watched = calls.watch({}, { signal: ended.signal, headers })[Symbol.asyncIterator]();
    assert.is((await watched.next()).value?.status, Status.SERVING);
    const next = watched.next().then(
      () => "next",
      (error) => Code[ConnectError.from(error).code],
    );
    assert.is(await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 50, "waits"))]), "waits");
    ended.abort();
    assert.is(await next, "Canceled");
  }
});

Protocols.run();
