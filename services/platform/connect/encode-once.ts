import { type DescMessage, type Message, type MessageShape, toBinary } from "@bufbuild/protobuf";

const encodings = new WeakMap<Message, Uint8Array>();

/** Encodes an answer that is stored before it is sent, and keeps the bytes for that. It must not change afterwards. */
export function encodeOnce<T extends DescMessage>(schema: T, message: MessageShape<T>): Uint8Array {
  const encoding = toBinary(schema, message);
  encodings.set(message, encoding);
  return encoding;
}

/** The bytes that encodeOnce kept of a message, or new ones. */
export function encodingOf<T extends DescMessage>(schema: T, message: MessageShape<T>): Uint8Array {
  return encodings.get(message) ?? toBinary(schema, message);
}
