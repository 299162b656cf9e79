/**
 * The bytes in memory of their own. A part of a larger buffer holds all of it: what zlib gives, a part of 16 KiB, what Redis
 * gives, a part of a read of 64 KiB, and what is short, a part of Node's pool. The cache counts the bytes of its pages only.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
