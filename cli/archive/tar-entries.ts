import { ByteQueue } from "./byte-queue.ts";
import { ArchiveFault } from "./fault.ts";
import { parseTarHeader, pathOfPax, type TarHeader, textOf } from "./tar-header.ts";

/** A member of a tar file. Its bytes are there until the next member is asked for; what is not read is passed over. */
export interface TarEntry extends TarHeader {
  bytes(): AsyncGenerator<Uint8Array>;
}

/**
 * Reads a tar file (POSIX.1-2017, pax; with GNU's long names) member by member, without holding more than a block and a
 * name.
 * @throws ArchiveFault when it is broken or cut off.
 */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const queue = new ByteQueue(chunks);
  let longName: string | undefined;
  for (;;) {
    const header = parseTarHeader(await block(queue));
    if (header === undefined) {
      // What is around the archive has its checksum at its end.
      while ((await queue.some(blockSize)) !== undefined);
      return;
    }
    if (header.type === "long name" || header.type === "pax header") {
      const content = await longHeader(queue, header);
      longName = header.type === "pax header" ? (pathOfPax(content) ?? longName) : textOf(content);
      continue;
    }
    let left = header.size;
    const bytes = async function* () {
      while (left > 0) {
        const chunk = await queue.some(left);
        if (chunk === undefined) throw cutOff();
        left -= chunk.length;
        yield chunk;
      }
    };
    yield { ...header, name: (longName ?? header.name).replace(/^(\.\/)+/, ""), bytes };
    longName = undefined;
    for await (const _ of bytes());
    await padding(queue, header.size);
  }
}

async function longHeader(queue: ByteQueue, header: TarHeader): Promise<Buffer> {
  if (header.size > longest) throw new ArchiveFault("it holds a file with a name that is too long");
  const content = await queue.exactly(header.size);
  if (content === undefined) throw cutOff();
  await padding(queue, header.size);
  return content;
}

const longest = 64 * 1024;

async function block(queue: ByteQueue): Promise<Buffer> {
  const bytes = await queue.exactly(blockSize);
  if (bytes === undefined) throw cutOff();
  return bytes;
}

async function padding(queue: ByteQueue, size: number): Promise<void> {
  const rest = (blockSize - (size % blockSize)) % blockSize;
  if ((await queue.exactly(rest)) === undefined) throw cutOff();
}

const blockSize = 512;

function cutOff(): ArchiveFault {
  return new ArchiveFault("it is cut off");
}
