import { unreadable } from "../http/errors/catalog.ts";

// fatal: bytes that are not UTF-8 throw; a leading byte order mark is dropped.
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Decodes UTF-8, without a leading byte order mark. Throws SerializationException when it is something else. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw unreadable("The body is not UTF-8.");
  }
}
