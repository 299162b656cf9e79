import { create, type DescMethodUnary } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createRouterTransport, type Transport } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { listCall } from "../../gateway/cache/reads/list-call.ts";
import { deadlineAfter } from "../../gateway/http/limits/deadline.ts";
import { SocialService, SocialUsersRequestSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { unavailable } from "../../services/platform/errors.ts";
import { suite } from "../support/suite.ts";

const List = suite("calls that read the elements of a list as bytes");
const { socialUsers, socialTimelines } = SocialService.method;

function outcome<T>(transport: Transport, read: (element: Uint8Array) => T) {
  const call = listCall(socialUsers, transport, read);
  return call(create(SocialUsersRequestSchema), deadlineAfter(60_000)).catch((error: ConnectError) => Code[error.code]);
}

const served = (results: { screenName: string }[]) =>
  createRouterTransport(({ service }) => service(SocialService, { socialUsers: () => ({ results }) }));

List("return the bytes of each element, also of an empty one", async () => {
  const some = served([{ screenName: "ann" }, { screenName: "" }, { screenName: "bea" }]);
  const bytes = await outcome(some, (element) => Buffer.from(element).toString("latin1"));
  assert.equal(bytes, ["\xf2\x01\x03ann", "", "\xf2\x01\x03bea"]);
  assert.equal(await outcome(served([]), () => "x"), []);
});

List("fail with the service's error, and with Unavailable when its reply cannot be read", async () => {
  const away = createRouterTransport(({ service }) =>
    service(SocialService, {
      socialUsers() {
        throw unavailable("away");
      },
    }),
  );
  assert.is(await outcome(away, String), "Unavailable");
  const broken = () => {
    throw new Error("broken");
  };
  assert.is(await outcome(served([{ screenName: "ann" }]), broken), "Unavailable");
  assert.is(await outcome(withField({ no: 1, wireType: 0, data: Uint8Array.of(1) }), String), "Unavailable");
  assert.is(await outcome(withField({ no: 1, wireType: 2, data: Uint8Array.of(9) }), String), "Unavailable");
  assert.equal(await outcome(withField({ no: 7, wireType: 0, data: Uint8Array.of(1) }), String), []);
});

/** A transport that replies with one raw field. */
function withField(field: { no: number; wireType: number; data: Uint8Array }): Transport {
  const message = create(EmptySchema);
  message.$unknown = [field];
  return { unary: async () => ({ message }), stream: () => Promise.reject(new Error("none")) } as unknown as Transport;
}

List("are refused for an RPC that does not answer with a list", () => {
  const transport = served([]);
  assert.throws(() => listCall(socialTimelines as DescMethodUnary, transport, String), /does not answer with a list/);
});

List.run();
