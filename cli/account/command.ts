import type { Writable } from "node:stream";
import type { Terminal } from "../reporter.ts";
import { runCommand, type ServiceName } from "../run-command.ts";
import { UsageError } from "../usage-error.ts";
import type { AccountCommandContext } from "./account-command-context.ts";
import { noArguments, oneId, oneName, wholeNumber } from "./arguments.ts";
import { deleteAccount } from "./delete-account.ts";
import { listInvitations, makeInvitation, revokeInvitation } from "./invitations.ts";
import { closeReport, listReports, showReport } from "./reports.ts";
import { resetPassword } from "./reset-password.ts";
import { setVerified } from "./set-verified.ts";
import { reinstate, suspend } from "./suspension.ts";
import { userSessions } from "./user-sessions.ts";

/** The options of all commands of `account`. */
export interface AccountOptions {
  stdin?: boolean;
  yes?: boolean;
  end?: boolean;
  uses?: string;
  days?: string;
}

/** The command `account`, given the words after it. @throws UsageError */
export function accountTask(words: readonly string[], options: AccountOptions) {
  if (words.length === 0) throw new UsageError("The command is missing.");
  // Commands on invitations and reports may have two words; they are looked up first.
  const [name, length] = [2, 1]
    .map((count) => [words.slice(0, count).join(" "), count] as const)
    .find(([words]) => Object.hasOwn(commands, words)) ?? ["", 0];
  const command = commands[name];
  if (command === undefined) throw new UsageError("account has no such command.");
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
  suspend: { services: both, read: (rest) => withName(rest, suspend) },
  reinstate: { services: both, read: (rest) => withName(rest, reinstate) },
  verify: { services: both, read: (rest) => withName(rest, (context, name) => setVerified(context, name, true)) },
  unverify: { services: both, read: (rest) => withName(rest, (context, name) => setVerified(context, name, false)) },
  "reset-password": {
    options: ["stdin"],
    read: (rest, { stdin = false }) => withName(rest, (context, name) => resetPassword(context, name, stdin)),
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
