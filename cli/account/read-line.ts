import { createInterface } from "node:readline";

/** The first line of an input, without its end; empty when there is none. Nothing of the rest is read. */
export async function readLine(input: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input, terminal: false, crlfDelay: Number.POSITIVE_INFINITY });
  try {
    for await (const line of lines) return line;
    return "";
  } finally {
    lines.close();
  }
}
