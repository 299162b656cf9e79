/**
 * Counts the messages in a file of conversations without reading one: each is written under the name "messageCreate".
 * Inside a text its quotes would be escaped.
 */
export async function countMessages(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let count = 0;
  let rest = "";
  for await (const chunk of chunks) {
    const text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
    count += text.split(mark).length - 1;
    // Shorter than the mark, so that nothing counts twice.
    rest = text.slice(1 - mark.length);
  }
  return count;
}

const mark = '"messageCreate"';
