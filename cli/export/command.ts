import { randomBytes } from "node:crypto";
import { createWriteStream, existsSync, openSync, realpathSync, rmSync, statSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ProfileResult } from "../../proto/gen/social/v1/profiles_pb.ts";
import { UserError } from "../errors.ts";
import { findProfile } from "../find-user.ts";
import type { Terminal } from "../reporter.ts";
import { type CommandContext, runCommand } from "../run-command.ts";
import { exportTimeline } from "./export-timeline.ts";

/**
 * The command `export USER [FILE]`. The file is renamed when it is complete, so that an interrupted export leaves no partial
 * file under its name. Returns the exit code.
 */
export function runExport(name: string, file: string | undefined, out: Writable, err: Terminal): Promise<number> {
  return runCommand(err, ["social"], async (context) => {
    const { clients, reporter, onStop } = context;
    onStop(() => (file === undefined && reporter.latest ? "The output is not complete." : "Nothing was written."));
    const user = await findProfile(clients.social, name);
    if (file === undefined) await pipeline(timelineTexts(context, user), out, { end: false });
    else await writeFile(context, user, file);
    return 0;
  });
}

async function writeFile(context: CommandContext, user: ProfileResult, name: string): Promise<void> {
  const there = statSync(name, { throwIfNoEntry: false });
  // A device or a pipe is written to, not replaced.
  if (there !== undefined && !there.isFile()) return pipeline(timelineTexts(context, user), createWriteStream(name));
  const folder = dirname(name);
  if (there === undefined && !existsSync(folder)) throw new UserError(`There is no folder ${folder}.`);
  const file = there === undefined ? name : realpathSync(name);
  const part = `${file}.${randomBytes(4).toString("hex")}.part`;
  context.onStop(() => {
    rmSync(part, { force: true });
    return `${file} was not written.`;
  });
  // Opened before anything is awaited: an interruption must not remove the file before it is there.
  const stream = createWriteStream(part, { fd: openSync(part, "wx") });
  await pipeline(timelineTexts(context, user), stream);
  await rename(part, file);
}

async function* timelineTexts({ clients, reporter }: CommandContext, user: ProfileResult): AsyncGenerator<string> {
  let done = 0;
  for await (const { text, statuses } of exportTimeline(clients.social, user)) {
    yield text;
    done += statuses;
    reporter.progress({ phase: "exporting", done, share: Math.min(1, done / Math.max(user.statusesCount, 1)) });
  }
}
