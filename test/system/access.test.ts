import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  create,
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  getOption,
  type Message,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import pg from "pg";
import * as assert from "uvu/assert";
import { Access, access } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { isGrpcs, rpcs } from "../support/rpcs.ts";
import type { TestServices } from "../support/services.ts";
import { useSharedServices } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";

const AccessRules = suite("access");
const methods = rpcs.filter((method) => !isGrpcs(method));
let services: TestServices;

useSharedServices(AccessRules, (shared) => (services = shared));

/** The code that a call with these headers is refused with; undefined when it is answered. */
async function codeOf(method: DescMethod, header: Record<string, string>): Promise<Code | undefined> {
  const baseUrl = method.parent.typeName.startsWith("account.") ? services.accountUrl : services.socialUrl;
  const transport = createConnectTransport({ baseUrl, httpVersion: "1.1" });
  const message: Message = create(method.input);
  return call(transport, method, header, message).then(
    () => undefined,
    (reason: unknown) => ConnectError.from(reason).code,
  );
}

/** Makes a call; of a stream it reads the first answer. */
async function call(transport: Transport, method: DescMethod, header: Record<string, string>, message: Message) {
  if (method.methodKind === "unary")
    return transport.unary(method as DescMethodUnary, undefined, undefined, header, message);
  async function* once() {
    yield message;
  }
  const { message: answers } = await transport.stream(
    method as DescMethodStreaming,
    undefined,
    undefined,
    header,
    once(),
  );
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
  const sources = ["account", "social"].flatMap((name) =>
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
