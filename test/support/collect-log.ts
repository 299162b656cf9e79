import { Writable } from "node:stream";

/** Where a log may write: its lines are added to these as objects. */
export function collectLog(lines: Record<string, unknown>[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
}
