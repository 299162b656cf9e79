import { randomUUID } from "node:crypto";
import {
  create,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import * as assert from "uvu/assert";
import { PeopleService } from "../../proto/gen/social/people/v1/people_service_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { register } from "../support/people.ts";
import { useSharedSystem } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import type { TestSystem } from "../support/system.ts";

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
