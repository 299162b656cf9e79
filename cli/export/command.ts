import { randomBytes } from "node:crypto";
import { createWriteStream, existsSync, openSync, realpathSync, rmSync, statSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client } from "@connectrpc/connect";
import type { ProfileResult } from "../../proto/gen/social/v1/profiles_pb.ts";
import type { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { viewerHeader } from "../../services/platform/connect/identity.ts";
import { UserError } from "../errors.ts";
import { findProfile } from "../find-user.ts";
import type { Terminal } from "../reporter.ts";
import { type CommandContext, runCommand } from "../run-command.ts";
import { statusJson } from "./status-json.ts";
import { userJson } from "./user-json.ts";

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

/**
 * A user's timeline as one JSON list in the shape of API v1.1, newest first, page by page: 200 statuses are in memory at a
 * time. It is read as that user sees it, protected or not. The list of a user without statuses has only the user, so that an import
 * adds the user.
 * @throws UserError when the service cannot be reached.
 */
async function* exportTimeline(
  social: Client<typeof SocialService>,
  { id, screenName }: { id: bigint; screenName: string },
): AsyncGenerator<{ text: string; statuses: number }> {
  let maxId: bigint | undefined;
  let separator = "[\n";
  for (;;) {
    const request = { screenName, take: 200n, ...(maxId === undefined ? {} : { maxId }) };
    const headers = { [viewerHeader]: id.toString() };
    const { results, author } = await social.socialTimelines(request, { headers });
    if (author === undefined) throw new Error("a timeline without its author");
    const user = userJson(author);
    for (const status of results) {
      yield { text: `${separator}${JSON.stringify(statusJson(status, user))}`, statuses: 1 };
      separator = ",\n";
    }
    const last = results.at(-1);
    if (last === undefined) {
      if (maxId === undefined) yield { text: `${separator}${JSON.stringify(user)}`, statuses: 0 };
      yield { text: "\n]\n", statuses: 0 };
      return;
    }
    maxId = last.id - 1n;
  }
}
