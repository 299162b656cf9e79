import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  create,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import * as grpc from "@grpc/grpc-js";
import * as assert from "uvu/assert";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { PeopleService } from "../../proto/gen/social/people/v1/people_service_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { createServiceTransport, type ServiceTransport } from "../../services/platform/connect/client.ts";
import { enumName } from "../support/enum-name.ts";
import { register } from "../support/people.ts";
import type { TestServices } from "../support/services.ts";
import { useSharedServices, useSharedSystem } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import type { TestSystem } from "../support/system.ts";

const Explore = suite("calls without proto files");
const buf = join(import.meta.dirname, "../../node_modules/.bin/buf");
let services: TestServices;
let transports: ServiceTransport[];

Explore.after(() => transports.forEach((transport) => transport.close()));
useSharedServices(Explore, (shared) => {
  services = shared;
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
let system: TestSystem;
let client: grpc.Client;

Grpc.after(() => client.close());
useSharedSystem(Grpc, (shared) => {
  system = shared;
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
