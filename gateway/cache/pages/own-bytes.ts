/**
 * A copy of bytes that are a part of a larger buffer, which they would keep in memory: zlib's output (16 KiB), a read from Redis
 * (64 KiB), Node's pool of short buffers. The cache counts the bytes of its pages only.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
