/**
 * Copies bytes that are a part of a larger buffer, which would stay in memory with them: zlib's output (16 KiB), a read from Redis
 * (64 KiB), Node's pool of short buffers. The cache counts only the bytes of its pages.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
