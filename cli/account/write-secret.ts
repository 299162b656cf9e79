import type { Writable } from "node:stream";
import { UserError } from "../user-error.ts";

/** Writes a line that is shown only once. @throws UserError when its reader has closed the pipe */
export function writeSecret(out: Writable, secret: string): Promise<void> {
  return new Promise((resolve, reject) => {
    out.write(`${secret}\n`, (error) => (error ? reject(new UserError(lost)) : resolve()));
  });
}

const lost = "Standard output is closed: what was to be written there is lost. Run the command again for another one.";
