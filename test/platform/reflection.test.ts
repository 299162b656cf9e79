import { createServer, type Socket } from "node:net";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import * as grpc from "@grpc/grpc-js";
import * as assert from "uvu/assert";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import {
  ExtensionRequestSchema,
  type ServerReflectionRequest,
  ServerReflectionRequestSchema,
  type ServerReflectionResponse,
  ServerReflectionResponseSchema,
} from "../../proto/gen/grpc/reflection/v1/reflection_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { serveRpc } from "../../services/platform/connect/server.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { createLog } from "../../services/platform/log.ts";
import { createDatabaseProbe } from "../../services/platform/postgres/probe.ts";
import { listen } from "../support/listen.ts";
import { valuesOf } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { suite } from "../support/suite.ts";

const Reflection = suite("reflection");
let server: Running;
let client: grpc.Client;

Reflection.before(async () => {
  const options = { host: "127.0.0.1", port: 0, log: createLog("test", "silent") };
  server = await serveRpc(options, (router) =>
    router.service(SocialService, {
      socialUsers: ({ screenNames }) => ({ results: screenNames.map((screenName) => ({ screenName, id: 7n })) }),
    }),
  );
  client = new grpc.Client(server.url.slice("http://".length), grpc.credentials.createInsecure());
});
Reflection.after(async () => {
  client.close();
  await server.close();
});

/** Sends all requests in one stream of @grpc/grpc-js. */
function ask(questions: Question[], version: string): Promise<ServerReflectionResponse[]> {
  const stream = client.makeBidiStreamRequest(
    `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
    (message: ServerReflectionRequest) => Buffer.from(toBinary(ServerReflectionRequestSchema, message)),
    (bytes: Buffer) => fromBinary(ServerReflectionResponseSchema, bytes),
  );
  for (const messageRequest of questions) {
    stream.write(create(ServerReflectionRequestSchema, { host: "here", messageRequest }));
  }
  stream.end();
  return new Promise((resolve, reject) => {
    const answers: ServerReflectionResponse[] = [];
    stream
      .on("data", (answer) => answers.push(answer))
      .on("error", reject)
      .on("end", () => resolve(answers));
  });
}

/** What an answer has: the file that was asked for, which is the first one, or names or numbers; or the code of its error. */
function foundIn({ messageResponse: { case: kind, value } }: ServerReflectionResponse): unknown {
  if (kind === "errorResponse") return value.errorCode;
  if (kind === "listServicesResponse") return valuesOf(value.service, "name");
  if (kind === "allExtensionNumbersResponse") return value.extensionNumber.includes(50_100);
  if (kind !== "fileDescriptorResponse") return kind;
  return fromBinary(FileDescriptorProtoSchema, value.fileDescriptorProto[0] as Uint8Array).name;
}

type Question = ServerReflectionRequest["messageRequest"];
const file = (value: string): Question => ({ case: "fileByFilename", value });
const symbol = (value: string): Question => ({ case: "fileContainingSymbol", value });
const numbersOf = (value: string): Question => ({ case: "allExtensionNumbersOfType", value });
const containingType = "google.protobuf.MethodOptions";
const extension = (extensionNumber: number): Question => ({
  case: "fileContainingExtension",
  value: create(ExtensionRequestSchema, { containingType, extensionNumber }),
});
const { NOT_FOUND, INVALID_ARGUMENT } = grpc.status;

const questions: [question: Question, found: unknown][] = [
  [
    { case: "listServices", value: "*" },
    [
      "grpc.health.v1.Health",
      "grpc.reflection.v1.ServerReflection",
      "grpc.reflection.v1alpha.ServerReflection",
      "reads.v1.ReadService",
      "social.v1.SocialService",
    ],
  ],
  [symbol("social.v1.SocialService"), "social/v1/social_service.proto"],
  [symbol("social.v1.SocialService.SocialUsers"), "social/v1/social_service.proto"],
  [symbol("social.v1.Status"), "social/v1/statuses.proto"],
  [symbol("social.v1.Status.text"), "social/v1/statuses.proto"],
  [symbol("contract.v1.JsonForm"), "contract/v1/annotations.proto"],
  [symbol("contract.v1.JSON_FORM_STRING"), "contract/v1/annotations.proto"],
  [symbol("contract.v1.operation"), "contract/v1/annotations.proto"],
  [symbol("grpc.health.v1.HealthCheckResponse.ServingStatus"), "grpc/health/v1/health.proto"],
  [symbol("grpc.health.v1.HealthCheckResponse.SERVING"), "grpc/health/v1/health.proto"],
  [symbol("grpc.reflection.v1.ServerReflectionRequest.message_request"), "grpc/reflection/v1/reflection.proto"],
  [symbol("google.protobuf.FieldOptions"), "google/protobuf/descriptor.proto"],
  [symbol("social.v1.Nothing"), NOT_FOUND],
  [extension(50_100), "contract/v1/annotations.proto"],
  [extension(1), NOT_FOUND],
  [numbersOf(containingType), true],
  [numbersOf("social.v1.Nothing"), NOT_FOUND],
  [file("etc/passwd"), NOT_FOUND],
  [{ case: undefined }, INVALID_ARGUMENT],
  [file("social/v1/entities.proto"), "social/v1/entities.proto"],
];

for (const version of ["v1", "v1alpha"]) {
  Reflection(`answers each question of a stream by ${version}, also after one that it cannot answer`, async () => {
    const asked = questions.map(([question]) => question);
    const answers = await ask(asked, version);
    assert.is(answers[0]?.validHost, "here");
    for (const [index, [question, found]] of questions.entries())
      assert.equal(foundIn(answers[index] as ServerReflectionResponse), found, JSON.stringify(question.value));
  });
}

Reflection.run();

const Suite = suite("health");
const log = createLog("test", "silent");
let ready = true;
let isPartWell = true;

Suite.before.each(async () => {
  ready = true;
  isPartWell = true;
  const healthParts = new Map([["a-part", async () => isPartWell]]);
  const options = { host: "127.0.0.1", port: 0, log, isReady: async () => ready, healthParts };
  server = await serveRpc(options, (router) => router.service(SocialService, {}));
});
Suite.after.each(() => server.close());

const overGrpc = () => createClient(Health, createGrpcTransport({ baseUrl: server.url }));
const overHttp1 = () => createClient(Health, createConnectTransport({ baseUrl: server.url, httpVersion: "1.1" }));

Suite("reports the state of the process and of each service by name", async () => {
  for (const isReady of [true, false]) {
    ready = isReady;
    for (const client of [overGrpc(), overHttp1()]) {
      for (const service of ["", SocialService.typeName, Health.typeName]) {
        assert.is((await client.check({ service })).status, isReady ? Status.SERVING : Status.NOT_SERVING, service);
      }
    }
  }
});

Suite("reports the state of a part by its name, separately from the services'", async () => {
  for (const [isReady, isWell] of [
    [true, false],
    [false, true],
  ] as const) {
    [ready, isPartWell] = [isReady, isWell];
    const { status } = await overGrpc().check({ service: "a-part" });
    assert.is(status, isWell ? Status.SERVING : Status.NOT_SERVING);
    assert.is((await overGrpc().check({})).status, isReady ? Status.SERVING : Status.NOT_SERVING);
  }
});

Suite("answers NotFound for an unknown service, and SERVICE_UNKNOWN to its watchers", async () => {
  assert.is((await refusalOf(overGrpc().check({ service: "social.v1.Nothing" }))).code, "NotFound");
  for await (const { status } of overGrpc().watch({ service: "social.v1.Nothing" })) {
    assert.is(status, Status.SERVICE_UNKNOWN);
    break;
  }
});

for (const [name, client] of Object.entries({ gRPC: overGrpc, "Connect over HTTP/1.1": overHttp1 })) {
  Suite(`reports every change to a watcher over ${name}, also that the process ends`, async () => {
    const seen: Status[] = [];
    let closed: Promise<void> | undefined;
    for await (const { status } of client().watch({ service: SocialService.typeName })) {
      seen.push(status);
      if (seen.length === 1) ready = false;
      if (seen.length === 2) ready = true;
      if (seen.length === 3) closed = server.close();
    }
    await closed;
    assert.equal(seen, [Status.SERVING, Status.NOT_SERVING, Status.SERVING, Status.NOT_SERVING]);
  });
}

Suite("reports a database that does not answer as unavailable", async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket));
  const port = await listen(silent);
  const probe = createDatabaseProbe(`postgres://nobody@127.0.0.1:${port}/nothing`, "test", log);
  assert.equal(await Promise.all([probe.isAnswering(), probe.isAnswering()]), [false, false]);
  assert.is(sockets.size, 1);
  for (const socket of sockets) socket.destroy();
  await probe.close();
  await new Promise((resolve) => silent.close(resolve));
});

Suite.run();
