import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  create,
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  fromBinary,
  getOption,
  type Message,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import * as grpc from "@grpc/grpc-js";
import pg from "pg";
import * as assert from "uvu/assert";
import { Access, access } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { PeopleService } from "../../proto/gen/social/people/v1/people_service_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { createServiceTransport, type ServiceTransport } from "../../services/platform/connect/client.ts";
import { enumName } from "../support/enum-name.ts";
import { register } from "../support/people.ts";
import { isGrpcs, rpcs } from "../support/rpcs.ts";
import { useSharedServices, useSharedSystem } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";

const Explore = suite("calls without proto files");
const buf = join(import.meta.dirname, "../../node_modules/.bin/buf");
let transports: ServiceTransport[];

Explore.after(() => transports.forEach((transport) => transport.close()));
const services = useSharedServices(Explore);
Explore.before(() => {
  transports = [services.accountUrl, services.socialUrl].map((baseUrl) =>
    createServiceTransport({ baseUrl, caller: "test" }),
  );
});

/** The output of `buf curl`, which is run outside the project, so that it gets the schema by reflection only. */
async function bufCurl(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(buf, ["curl", "--http2-prior-knowledge", ...words], { cwd: "/" });
  return stdout.trim();
}

Explore("lists every method of both services", async () => {
  const account = await bufCurl("--list-methods", services.accountUrl);
  assert.ok(account.includes("account.v1.AccountService/Registration"), account);
  assert.ok(account.includes("grpc.health.v1.Health/Watch"), account);
  const social = await bufCurl("--list-methods", services.socialUrl);
  assert.ok(social.includes("social.v1.SocialService/SocialTimelines"), social);
  assert.not.ok(social.includes("account.v1"), social);
});

for (const protocol of ["grpc", "connect", "grpcweb"]) {
  Explore(`calls a method over ${protocol}`, async () => {
    const userName = `by_${protocol}`;
    const data = JSON.stringify({ userName, password: "correct horse" });
    const url = `${services.accountUrl}/account.v1.AccountService/Registration`;
    assert.is(JSON.parse(await bufCurl("--protocol", protocol, "-d", data, url)).userName, userName);
  });
}

Explore("reports NOT_SERVING while the database is unavailable, and SERVING after that", async () => {
  const [{ database }] = (await services.database.query("select current_database() as database")) as [
    { database: string },
  ];
  const states = () =>
    Promise.all(
      transports.map(async ({ transport }) =>
        enumName(Status, (await createClient(Health, transport).check({})).status),
      ),
    );
  assert.equal(await states(), ["SERVING", "SERVING"]);
  await services.database.query(`alter database ${database} connection limit 0`);
  await services.database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
    [database],
  );
  assert.equal(await states(), ["NOT_SERVING", "NOT_SERVING"]);
  await services.database.query(`alter database ${database} connection limit -1`);
  assert.equal(await states(), ["SERVING", "SERVING"]);
});

Explore.run();

const Grpc = suite("grpc");
let client: grpc.Client;

Grpc.after(() => client.close());
const system = useSharedSystem(Grpc);
Grpc.before(() => {
  client = new grpc.Client(system.socialUrl.slice("http://".length), grpc.credentials.createInsecure());
});

/** One unary call by @grpc/grpc-js, an implementation independent of the services' library. */
function call<I extends DescMethodUnary["input"], O extends DescMethodUnary["output"]>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  metadata = new grpc.Metadata(),
): Promise<MessageShape<O>> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      `/${method.parent.typeName}/${method.name}`,
      (message: MessageShape<I>) => Buffer.from(toBinary(method.input, message)),
      (bytes: Buffer) => fromBinary(method.output, bytes),
      create(method.input, request),
      metadata,
      (error, reply) => (reply === undefined ? reject(error as Error) : resolve(reply)),
    );
  });
}

Grpc("publishes a status that the next HTTP reply shows", async () => {
  const userId = await register(system, "Greta");
  const asGreta = new grpc.Metadata();
  asGreta.set("roost-viewer", `${userId}`);
  for (let index = 0; index < 20; index++) {
    const text = `Number ${index} ✓`;
    const request = { requestId: randomUUID(), userId, text };
    const published = await call(PeopleService.method.publishStatus, request, asGreta);
    const response = await fetch(`${system.url}/social/greta/timelines?take=1`);
    const { results } = (await response.json()) as { results: { id: number; text: string; user: { id: string } }[] };
    assert.equal(
      results.map(({ id, text, user }) => ({ id: BigInt(id), text, userId: user.id })),
      [{ id: published.results[0]?.id, text, userId: `${userId}` }],
    );
  }
});

Grpc("reads a timeline", async () => {
  const { results, author } = await call(SocialService.method.socialTimelines, { screenName: "GRETA", take: 5n });
  assert.equal([results.length, author?.screenName, author?.statusesCount], [5, "Greta", 20]);
});

Grpc("receives an error with its code and details", async () => {
  const error = await call(SocialService.method.socialTimelines, { screenName: "unknown" }).catch((reason) => reason);
  assert.is((error as grpc.ServiceError).code, grpc.status.NOT_FOUND);
  assert.is((error as grpc.ServiceError).details, "There is no user of that name.");
  assert.ok((error as grpc.ServiceError).metadata.get("grpc-status-details-bin").length === 1);
});

Grpc.run();

const AccessRules = suite("access");
const methods = rpcs.filter((method) => !isGrpcs(method));
useSharedServices(AccessRules);

/** The code that a call with these headers is refused with; undefined when it is answered. */
async function codeOf(method: DescMethod, header: Record<string, string>): Promise<Code | undefined> {
  const baseUrl = method.parent.typeName.startsWith("account.") ? services.accountUrl : services.socialUrl;
  const transport = createConnectTransport({ baseUrl, httpVersion: "1.1" });
  const message: Message = create(method.input);
  return callOnce(transport, method, header, message).then(
    () => undefined,
    (reason: unknown) => ConnectError.from(reason).code,
  );
}

/** Makes a call; of a stream it reads the first answer. */
async function callOnce(transport: Transport, method: DescMethod, header: Record<string, string>, message: Message) {
  if (method.methodKind === "unary") {
    return transport.unary(method as DescMethodUnary, undefined, undefined, header, message);
  }
  async function* once() {
    yield message;
  }
  const streaming = method as DescMethodStreaming;
  const { message: answers } = await transport.stream(streaming, undefined, undefined, header, once());
  for await (const answer of answers) return answer;
}

for (const method of methods) {
  const title = `${method.parent.typeName}/${method.name}`;
  const who = getOption(method, access);
  if (who === Access.ANYBODY) {
    AccessRules(`${title} refuses a viewer that is no user id`, async () => {
      assert.is(await codeOf(method, { "roost-viewer": "ann" }), Code.Unauthenticated);
    });
    continue;
  }
  AccessRules(`${title} refuses callers without an identity and with the wrong one`, async () => {
    assert.is(await codeOf(method, {}), Code.Unauthenticated);
    assert.is(await codeOf(method, { "roost-viewer": "7" }), Code.PermissionDenied);
    const other = who === Access.USER ? { "roost-caller": "test" } : { "roost-caller": "not a name" };
    assert.is(await codeOf(method, other), Code.Unauthenticated);
  });
}

AccessRules("is defined for every RPC of the proto files", () => {
  const root = join(import.meta.dirname, "..", "..", "proto");
  const sources = ["account", "reads", "social"].flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".proto"))
      .map((file) => readFileSync(join(root, name, file), "utf8")),
  );
  assert.is(methods.length, sources.join("\n").match(/^  rpc /gm)?.length);
  assert.ok(methods.every((method) => getOption(method, access) !== Access.UNSPECIFIED));
});

AccessRules("to the other service's tables is denied by Postgres", async () => {
  for (const [own, others] of [
    ["account", ["social.profile", "social.status"]],
    ["social", ["account.account", "account.session", "account_jobs._private_jobs"]],
  ] as const) {
    const client = new pg.Client({ connectionString: services.database[own] });
    await client.connect();
    for (const table of others) {
      const refused = await client.query(`select from ${table}`).catch((error: Error) => error.message);
      assert.match(String(refused), /^permission denied for schema/);
    }
    await client.end();
  }
});

AccessRules.run();
