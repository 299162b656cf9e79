import { unreadable } from "../http/errors/catalog.ts";

// fatal: bytes that are not UTF-8 throw. ignoreBOM: a leading byte order mark is a character like any other.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes UTF-8. @throws SerializationException when it is something else */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw unreadable("The body is not UTF-8.");
  }
}
