import { create, toBinary, toJson } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import * as assert from "uvu/assert";
import { SocialUsersResponseSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { StatusSchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { encodedMessage, encodingOf } from "../../services/platform/connect/encode-once.ts";
import { WireWriter } from "../../services/platform/connect/wire-writer.ts";
import { suite } from "../support/suite.ts";

const Wire = suite("wire writer");

function written(write: (wire: WireWriter) => void): Buffer {
  const wire = new WireWriter();
  wire.text(1, "what was there before");
  wire.clear();
  write(wire);
  return wire.take();
}

function expected(write: (writer: BinaryWriter) => void): Buffer {
  const writer = new BinaryWriter();
  write(writer);
  return Buffer.from(writer.finish());
}

Wire("writes integers like the library, with the lower half signed or not", () => {
  for (const value of [0n, 1n, 127n, 128n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n - 1n, -1n, -(2n ** 63n)]) {
    const [high, low] = [Number(BigInt.asIntN(32, value >> 32n)), Number(BigInt.asUintN(32, value))];
    for (const half of [low, low | 0]) {
      assert.equal(
        written((wire) => wire.int64(300, high, half)),
        expected((writer) => writer.tag(300, WireType.Varint).int64(value)),
        `${value}`,
      );
    }
  }
});

Wire("writes texts, bytes and messages of every length like the library", () => {
  const fields = (writer: BinaryWriter, number: number, bytes: Uint8Array) =>
    writer.tag(number, WireType.LengthDelimited).bytes(bytes);
  for (const length of [0, 1, 63, 64, 65, 127, 128, 16_383, 16_384, 70_000, 2 ** 21]) {
    const text = "aß"[length % 2] as string;
    const bytes = Buffer.from(text.repeat(length));
    assert.equal(
      written((wire) => wire.text(1, text.repeat(length))),
      expected((writer) => fields(writer, 1, bytes)),
      `text of ${length}`,
    );
    assert.equal(
      written((wire) => wire.bytes(2, Buffer.concat([bytes, bytes]), bytes.length)),
      expected((writer) => fields(writer, 2, bytes)),
      `bytes of ${length}`,
    );
    const nested = written((wire) => {
      const [outer, inner] = [wire.begin(3), wire.begin(4)];
      wire.bytes(5, bytes);
      wire.end(inner);
      wire.end(outer);
    });
    assert.equal(
      nested,
      expected((writer) => {
        const fork = writer.tag(3, WireType.LengthDelimited).fork().tag(4, WireType.LengthDelimited).fork();
        fields(fork, 5, bytes).join().join();
      }),
      `message of ${length}`,
    );
  }
});

const users = create(SocialUsersResponseSchema, { results: [{ screenName: "ann", utcOffset: 0 }, { id: 7n }] });

Wire("a message that is stored as its encoding is read like any other", () => {
  const encoding = toBinary(SocialUsersResponseSchema, users);
  const encoded = encodedMessage(SocialUsersResponseSchema, encoding);
  assert.is(encodingOf(SocialUsersResponseSchema, encoded), encoding);
  assert.equal(toJson(SocialUsersResponseSchema, encoded), toJson(SocialUsersResponseSchema, users));
  assert.equal(toBinary(SocialUsersResponseSchema, encoded), encoding);
  const status = create(StatusSchema, { id: 7n, inReplyToStatusId: 0n, geo: { type: "Point", coordinates: [1, 2] } });
  const again = encodedMessage(StatusSchema, toBinary(StatusSchema, status));
  assert.equal(toBinary(StatusSchema, again), toBinary(StatusSchema, status));
  assert.equal(toJson(StatusSchema, again), toJson(StatusSchema, status));
  assert.throws(() => encodedMessage(StatusSchema, Buffer.from("garbage")).id);
});

Wire.run();
