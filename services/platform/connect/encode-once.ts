import { create, type DescMessage, fromBinary, type Message, type MessageShape, toBinary } from "@bufbuild/protobuf";

const encodings = new WeakMap<Message, Uint8Array>();

/** Encodes an answer that is stored before it is sent, and keeps the bytes for that. It must not change afterwards. */
export function encodeOnce<T extends DescMessage>(schema: T, message: MessageShape<T>): Uint8Array {
  const encoding = toBinary(schema, message);
  encodings.set(message, encoding);
  return encoding;
}

/**
 * A message that is stored as its encoding, which mostly is all that is needed; its fields are decoded when one of them is read.
 * It must not be changed. Reading a field throws for bytes that are no such message.
 */
export function encodedMessage<T extends DescMessage>(schema: T, encoding: Uint8Array): MessageShape<T> {
  let decoded: Record<string, unknown> | undefined;
  const decode = () => (decoded ??= fromBinary(schema, encoding) as Message & Record<string, unknown>);
  const message = create(schema);
  for (const { localName } of schema.members) {
    // Own properties: the library considers any other field unset.
    Object.defineProperty(message, localName, { enumerable: true, get: () => decode()[localName] });
  }
  encodings.set(message, encoding);
  return message;
}

/** The bytes of an encoded message, or new ones. */
export function encodingOf<T extends DescMessage>(schema: T, message: MessageShape<T>): Uint8Array {
  return encodings.get(message) ?? toBinary(schema, message);
}
