import { open } from "node:fs/promises";

/** What the first bytes of a file say that it is; JSON where they say nothing else. */
export async function kindOfFile(path: string): Promise<"zip" | "tar.gz" | "tar" | "json"> {
  const file = await open(path);
  try {
    const start = Buffer.alloc(512);
    await file.read(start, 0, start.length, 0);
    if (start.readUInt32BE(0) === localFile || start.readUInt32BE(0) === emptyZip) return "zip";
    if (start.readUInt16BE(0) === gzip) return "tar.gz";
    return start.toString("latin1", 257, 262) === "ustar" ? "tar" : "json";
  } finally {
    await file.close();
  }
}

const [localFile, emptyZip, gzip] = [0x504b0304, 0x504b0506, 0x1f8b];
