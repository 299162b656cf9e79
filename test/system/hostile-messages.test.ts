import {
  create,
  type DescField,
  type DescMessage,
  type DescMethodUnary,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { AccountService } from "../../proto/gen/account/v1/account_service_pb.ts";
import { SessionService } from "../../proto/gen/account/v1/session_service_pb.ts";
import { GraphService } from "../../proto/gen/social/v1/graph_service_pb.ts";
import { ImportService } from "../../proto/gen/social/v1/import_service_pb.ts";
import { ProfileService } from "../../proto/gen/social/v1/profile_service_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { StatusService } from "../../proto/gen/social/v1/status_service_pb.ts";
import { createServiceTransport, type ServiceTransport } from "../../services/platform/connect/client.ts";
import { actingTransport } from "../support/acting-transport.ts";
import { startTestServices, type TestServices } from "../support/services.ts";

const Hostile = suite("hostile messages");
const messagesPerRpc = 250;
let services: TestServices;
let account: ServiceTransport;
let social: ServiceTransport;
/** Ids that exist, so that messages get past the first check. */
const known = { users: [1n], statuses: [1n] };

Hostile.before(async () => {
  services = await startTestServices();
  account = createServiceTransport({ baseUrl: services.accountUrl, caller: "test" });
  social = createServiceTransport({ baseUrl: services.socialUrl, caller: "test" });
  for (const userName of ["ann", "bea"]) {
    const { userId } = await services.clients.account.registration({ userName, password: "correct horse" });
    const requestId = "0b9bd6c5-6a5c-4f39-a4b3-0d5f0d9a7a11";
    const { status } = await services.clients.statuses.publishStatus({ requestId, authorId: userId, text: "hello" });
    known.users.push(userId);
    known.statuses.push(status?.id ?? 1n);
  }
  const full =
    "update social.profile set statuses_count = 2147483647, followers_count = 2147483647, friends_count = 2147483647, favourites_count = 2147483647";
  await services.database.query(full);
});
Hostile.after(async () => {
  account.close();
  social.close();
  await services.stop();
});

const all = [AccountService, SessionService, GraphService, ImportService, ProfileService, SocialService, StatusService];
for (const method of all.flatMap((service) => service.methods)) {
  const { name, parent } = method;
  Hostile(`${parent.typeName}/${name} answers or refuses, and never calls it a defect`, async () => {
    const { transport } = parent.typeName.startsWith("account.") ? account : social;
    const seed = { seed: 20_261_121, numRuns: messagesPerRpc };
    for (const message of fc.sample(messageOf(method.input), seed)) {
      const error = await actingTransport(transport)
        .unary(method as DescMethodUnary, undefined, undefined, undefined, message)
        .then(
          () => undefined,
          (reason: unknown) => ConnectError.from(reason),
        );
      if (error?.code !== Code.Internal && error?.code !== Code.Unknown) continue;
      const defect = services.logged.findLast((line) => line.msg === "defect");
      assert.unreachable(
        `${JSON.stringify(message, (_key, value) => (typeof value === "bigint" ? `${value}` : value))}\n${JSON.stringify(defect?.err)}`,
      );
    }
  });
}

Hostile.run();

function messageOf(desc: DescMessage, depth = 0): fc.Arbitrary<Message> {
  const fields = desc.fields.map((field) => fieldOf(field, depth).map((value) => [field, value] as const));
  return fc.tuple(...fields).map((values) => {
    const message = create(desc) as Message & Record<string, unknown>;
    for (const [field, value] of values) {
      if (value !== undefined) message[field.localName] = value;
    }
    return message;
  });
}

function fieldOf(field: DescField, depth: number): fc.Arbitrary<unknown> {
  const single = () => {
    if (field.message) return depth > 4 ? fc.constant(create(field.message)) : messageOf(field.message, depth + 1);
    return field.enum ? fc.constantFrom(0, 1, 99) : scalarOf(field);
  };
  if (field.fieldKind === "list") return fc.array(single(), { maxLength: 3 });
  if (field.fieldKind === "map") return fc.dictionary(text(), single(), { maxKeys: 2 }).map((map) => ({ ...map }));
  const isOptional = field.fieldKind === "message" || field.proto.proto3Optional;
  return isOptional ? fc.option(single(), { nil: undefined, freq: 8 }) : single();
}

function scalarOf(field: DescField): fc.Arbitrary<unknown> {
  switch (field.scalar) {
    case ScalarType.STRING:
      return stringOf(field.name);
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.INT64:
      return fc.constantFrom(
        ...known.users,
        ...known.statuses,
        0n,
        -1n,
        7n,
        2n ** 53n - 1n,
        2n ** 53n,
        2n ** 63n - 1n,
        -(2n ** 63n),
        10n ** 15n,
      );
    case ScalarType.BYTES:
      return fc.constantFrom(0, 1, 16, 300).map((length) => new Uint8Array(length).fill(7));
    case ScalarType.INT32:
      return fc.constantFrom(0, 1, -1, 500_000_000, 2 ** 31 - 1, -(2 ** 31));
    default:
      return fc.constantFrom(0, 45.5, -90, 181, Number.NaN, Number.POSITIVE_INFINITY, -0, 1e300);
  }
}

/** Mostly a text that fits the field, so that the rest of the message is looked at as well. */
function stringOf(name: string): fc.Arbitrary<string> {
  const fits: Record<string, string[]> = {
    created_at: ["Wed Aug 27 13:08:45 +0000 2008", "Wed Aug 27 13:08:45 +0000 0001"],
    origin: ["twitter"],
    screen_name: ["ann", "bea", "new_one"],
    screen_names: ["ann", "bea"],
    user_name: ["ann", "some_body"],
    lang: ["en"],
    paths: ["name", "url", "utc_offset", "protected"],
    cursor: ["MTYwMDAwMDAwMDAwMDAwMC4x", ""],
    password: ["short"],
  };
  const fitting =
    fits[name] ?? (name.includes("color") ? ["C0DEED"] : name.includes("url") ? ["https://a.example/"] : ["plain"]);
  // A request id that was used leads nowhere.
  const good = name === "request_id" ? fc.uuid() : fc.constantFrom(...fitting);
  return fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: text() });
}

function text(): fc.Arbitrary<string> {
  const noise = fc.string({
    minLength: 9_000,
    maxLength: 9_000,
    unit: fc.constantFrom(..."abcdefghijklmnop0123456789"),
  });
  const odd = [
    "",
    " ",
    "\u0000",
    "a\u0000b",
    "😀é",
    "\\u0000",
    "'; drop table social.status; --",
    "%",
    "__proto__",
    "\ufeff\u202e",
    "a".repeat(300),
  ];
  return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...odd) }, { weight: 1, arbitrary: noise });
}
