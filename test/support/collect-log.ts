import { Writable } from "node:stream";

/** The output of a log whose lines are added to this list as objects. */
export function collectLog(lines: Record<string, unknown>[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
}
