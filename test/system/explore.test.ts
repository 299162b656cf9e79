import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { create, type DescMethod, getOption } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import pg from "pg";
import * as assert from "uvu/assert";
import { Access, access } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { createServiceTransport, type ServiceTransport } from "../../services/platform/connect/client.ts";
import { enumName } from "../support/enum-name.ts";
import { callRpc, isGrpcs, rpcs } from "../support/rpcs.ts";
import { useSharedServices } from "../support/shared-services.ts";
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
  const { whileUnavailable } = services.database;
  const states = () =>
    Promise.all(
      transports.map(async ({ transport }) =>
        enumName(Status, (await createClient(Health, transport).check({})).status),
      ),
    );
  assert.equal(await states(), ["SERVING", "SERVING"]);
  const away = await whileUnavailable("account", () => whileUnavailable("social", states));
  assert.equal(away, ["NOT_SERVING", "NOT_SERVING"]);
  assert.equal(await states(), ["SERVING", "SERVING"]);
});

Explore.run();

const AccessRules = suite("access");
const methods = rpcs.filter((method) => !isGrpcs(method));
useSharedServices(AccessRules);

/** The code that a call with these headers is refused with; undefined when it is answered. */
async function codeOf(method: DescMethod, header: Record<string, string>): Promise<Code | undefined> {
  const baseUrl = method.parent.typeName.startsWith("account.") ? services.accountUrl : services.socialUrl;
  const transport = createConnectTransport({ baseUrl, httpVersion: "1.1" });
  return callRpc(transport, method, create(method.input), header).then(
    () => undefined,
    (reason: unknown) => ConnectError.from(reason).code,
  );
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
