import type { Writable } from "node:stream";
import type { Invitation } from "../../proto/gen/account/v1/operator_service_pb.ts";
import { nearestWord, UsageError } from "../../services/platform/parse-options.ts";
import { counted, type Terminal } from "../reporter.ts";
import { runCommand, type ServiceName } from "../run-command.ts";
import { listAccounts, showAccount } from "./accounts.ts";
import { type AccountCommandContext, timeOf, writeSecret } from "./context.ts";
import { claim, deleteAccount, reinstate, resetPassword, setVerified, suspend, userSessions } from "./one-user.ts";
import { closeReport, listReports, showReport } from "./reports.ts";

/** The options of all commands of `account`. */
export interface AccountOptions {
  stdin?: boolean;
  yes?: boolean;
  end?: boolean;
  uses?: string;
  days?: string;
  email?: string;
  search?: string;
  take?: string;
}

/** The command `account`, given the words after it. @throws UsageError */
export function accountTask(words: readonly string[], options: AccountOptions) {
  if (words.length === 0) throw new UsageError("The command is missing.");
  // Commands on invitations and reports may have two words; they are looked up first.
  const [name, length] = [2, 1]
    .map((count) => [words.slice(0, count).join(" "), count] as const)
    .find(([words]) => Object.hasOwn(commands, words)) ?? ["", 0];
  const command = commands[name];
  if (command === undefined) {
    // What was typed may be a password, so the message does not repeat it.
    const names = Object.keys(commands);
    const meant = nearestWord(words.slice(0, 2).join(" "), names) ?? nearestWord(words[0] ?? "", names);
    throw new UsageError(`account has no such command.${meant === undefined ? "" : ` Did you mean ${meant}?`}`);
  }
  const stray = Object.keys(options).find((option) => !command.options?.includes(option as keyof AccountOptions));
  if (stray !== undefined) throw new UsageError(`account ${name} has no option --${stray}.`);
  const perform = command.read(words.slice(length), options);
  return (out: Writable, err: Terminal, input: NodeJS.ReadableStream) =>
    runCommand(err, command.services ?? ["account"], async (context) => {
      await perform({ ...context, out, err, input });
      return 0;
    });
}

type Perform = (context: AccountCommandContext) => Promise<void>;

interface AccountCommand {
  options?: readonly (keyof AccountOptions)[];
  /** The services that it needs. Default: the account service. */
  services?: readonly ServiceName[];
  /** @throws UsageError */
  read(rest: readonly string[], options: AccountOptions): Perform;
}

const both: readonly ServiceName[] = ["account", "social"];
const social: readonly ServiceName[] = ["social"];

const commands: Record<string, AccountCommand> = {
  list: {
    options: ["search", "take"],
    read(rest, { search = "", take = "100" }) {
      noArguments(rest);
      const count = wholeNumber("take", take, 1_000);
      return (context) => listAccounts(context, search, count);
    },
  },
  show: { services: both, read: (rest) => withName(rest, showAccount) },
  suspend: { services: both, read: (rest) => withName(rest, suspend) },
  reinstate: { services: both, read: (rest) => withName(rest, reinstate) },
  verify: { services: both, read: (rest) => withName(rest, (context, name) => setVerified(context, name, true)) },
  unverify: { services: both, read: (rest) => withName(rest, (context, name) => setVerified(context, name, false)) },
  "reset-password": {
    options: ["stdin"],
    read: (rest, { stdin = false }) => withName(rest, (context, name) => resetPassword(context, name, stdin)),
  },
  claim: {
    options: ["stdin", "email"],
    read: (rest, options) => withName(rest, (context, name) => claim(context, name, options)),
  },
  delete: {
    options: ["yes"],
    read: (rest, { yes = false }) => withName(rest, (context, name) => deleteAccount(context, name, yes)),
  },
  sessions: {
    options: ["end"],
    read: (rest, { end = false }) => withName(rest, (context, name) => userSessions(context, name, end)),
  },
  "invite make": {
    options: ["uses", "days"],
    read(rest, { uses = "1", days = "14" }) {
      noArguments(rest);
      const [times, age] = [wholeNumber("uses", uses, 10_000), wholeNumber("days", days, 400)];
      return (context) => makeInvitation(context, times, age);
    },
  },
  "invite list": { read: (rest) => withoutArguments(rest, listInvitations) },
  "invite revoke": { read: (rest) => withId(rest, revokeInvitation) },
  reports: { services: social, read: (rest) => withoutArguments(rest, listReports) },
  "reports list": { services: social, read: (rest) => withoutArguments(rest, listReports) },
  "reports show": { services: social, read: (rest) => withId(rest, showReport) },
  "reports close": { services: social, read: (rest) => withId(rest, closeReport) },
};

function withoutArguments(rest: readonly string[], perform: Perform): Perform {
  noArguments(rest);
  return perform;
}

function withName(rest: readonly string[], perform: (context: AccountCommandContext, name: string) => Promise<void>) {
  const name = oneName(rest);
  return (context: AccountCommandContext) => perform(context, name);
}

function withId(rest: readonly string[], perform: (context: AccountCommandContext, id: bigint) => Promise<void>) {
  const id = oneId(rest);
  return (context: AccountCommandContext) => perform(context, id);
}

/** The one name that a command takes. @throws UsageError */
function oneName([name, ...more]: readonly string[]): string {
  if (name === undefined) throw new UsageError("The name of a user is missing.");
  // The extra argument may be a password, so the message does not repeat it.
  if (more.length > 0) throw new UsageError("This takes one name and nothing else.");
  return name;
}

/** The one id that a command takes. @throws UsageError */
function oneId([id = "", ...more]: readonly string[]): bigint {
  if (!/^[1-9]\d{0,15}$/.test(id) || more.length > 0) throw new UsageError("This takes one number, as it is listed.");
  return BigInt(id);
}

/** @throws UsageError if there are any arguments */
function noArguments(rest: readonly string[]): void {
  if (rest.length > 0) throw new UsageError("This takes no arguments.");
}

/** An option's number from 1 to `max`. @throws UsageError */
function wholeNumber(option: string, text: string, max: number): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  throw new UsageError(`--${option} takes a whole number from 1 to ${max}.`);
}

/** Makes an invitation and prints its code alone on `out`. The code is not stored, so it is never shown again. */
async function makeInvitation({ clients, out, err }: AccountCommandContext, uses: number, days: number) {
  const request = { uses, maxAge: days * 24 * 3_600 };
  const { invitation, made } = await clients.operator.makeInvitation(request);
  if (made) err.write(`${lineOf(made)}. ${ways}:\n`);
  await writeSecret(out, invitation);
}

const ways = "People follow a link, /join#invitation=CODE; a program presents it in the header X-Invitation";

/** One line for each invitation that has not expired. */
async function listInvitations({ clients, out }: AccountCommandContext): Promise<void> {
  const { invitations } = await clients.operator.listInvitations({});
  for (const invitation of invitations) out.write(`${lineOf(invitation)}\n`);
  out.write(`${counted(invitations.length, "invitation")}\n`);
}

/** Ends an invitation before its time. */
async function revokeInvitation({ clients, out }: AccountCommandContext, id: bigint): Promise<void> {
  await clients.operator.revokeInvitation({ id });
  out.write(`invitation ${id} is revoked\n`);
}

function lineOf({ id, uses, used, expiresAt }: Invitation): string {
  return `invitation ${id}: ${used} of ${uses} used, until ${timeOf(expiresAt)}`;
}
