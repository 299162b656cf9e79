import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { create, type DescMethod, getOption } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import pg from "pg";
import * as assert from "uvu/assert";
import { Access, access } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { enumName } from "../support/enum-name.ts";
import { callRpc, isGrpcs, rpcs } from "../support/rpcs.ts";
import { useSharedServices } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";

const AccessRules = suite("access to the services");
const services = useSharedServices(AccessRules);
const methods = rpcs.filter((method) => !isGrpcs(method));
const transportTo = (baseUrl: string) => createConnectTransport({ baseUrl, httpVersion: "1.1" });

/** The code that a call with these headers is refused with; undefined when it is answered. */
async function codeOf(method: DescMethod, header: Record<string, string>): Promise<Code | undefined> {
  const url = method.parent.typeName.startsWith("account.") ? services.accountUrl : services.socialUrl;
  return callRpc(transportTo(url), method, create(method.input), header).then(
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

AccessRules("to a service whose database is unavailable is NOT_SERVING, and SERVING after that", async () => {
  const { whileUnavailable } = services.database;
  const stateOf = async (url: string) =>
    enumName(Status, (await createClient(Health, transportTo(url)).check({})).status);
  const states = () => Promise.all([services.accountUrl, services.socialUrl].map(stateOf));
  assert.equal(await states(), ["SERVING", "SERVING"]);
  const away = await whileUnavailable("account", () => whileUnavailable("social", states));
  assert.equal(away, ["NOT_SERVING", "NOT_SERVING"]);
  assert.equal(await states(), ["SERVING", "SERVING"]);
});

AccessRules.run();
