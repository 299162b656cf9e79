import type { Terminal } from "../reporter.ts";
import { runCommand, type ServiceName } from "../run-command.ts";
import { WrongCall } from "../wrong-call.ts";
import type { AccountSession } from "./account-session.ts";
import { nothing, oneId, oneName, wholeNumber } from "./arguments.ts";
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

/** The command `account`, given the words behind it. @throws WrongCall */
export function accountTask(words: readonly string[], options: AccountOptions) {
  if (words.length === 0) throw new WrongCall("What to do? The command is missing.");
  // Two words for what is done to invitations and reports, one for what is done to a user.
  const [name, length] = [2, 1]
    .map((count) => [words.slice(0, count).join(" "), count] as const)
    .find(([words]) => Object.hasOwn(commands, words)) ?? ["", 0];
  const command = commands[name];
  if (command === undefined) throw new WrongCall("account has no such command.");
  const stray = Object.keys(options).find((option) => !command.options?.includes(option as keyof AccountOptions));
  if (stray !== undefined) throw new WrongCall(`account ${name} has no option --${stray}.`);
  const perform = command.read(words.slice(length), options);
  return (out: Terminal, err: Terminal, input: NodeJS.ReadableStream) =>
    runCommand(err, command.services ?? ["account"], (session) => perform({ ...session, out, err, input }));
}

type Perform = (session: AccountSession) => Promise<number>;

interface AccountCommand {
  options?: readonly (keyof AccountOptions)[];
  /** Which have to answer; the account service alone when left out. */
  services?: readonly ServiceName[];
  /** @throws WrongCall */
  read(rest: readonly string[], options: AccountOptions): Perform;
}

const both: readonly ServiceName[] = ["account", "social"];
const social: readonly ServiceName[] = ["social"];

const commands: Record<string, AccountCommand> = {
  suspend: { services: both, read: (rest) => withName(rest, suspend) },
  reinstate: { services: both, read: (rest) => withName(rest, reinstate) },
  verify: { services: both, read: (rest) => withName(rest, (session, name) => setVerified(session, name, true)) },
  unverify: { services: both, read: (rest) => withName(rest, (session, name) => setVerified(session, name, false)) },
  "reset-password": {
    options: ["stdin"],
    read: (rest, { stdin = false }) => withName(rest, (session, name) => resetPassword(session, name, stdin)),
  },
  delete: {
    options: ["yes"],
    read: (rest, { yes = false }) => withName(rest, (session, name) => deleteAccount(session, name, yes)),
  },
  sessions: {
    options: ["end"],
    read: (rest, { end = false }) => withName(rest, (session, name) => userSessions(session, name, end)),
  },
  "invite make": {
    options: ["uses", "days"],
    read(rest, { uses = "1", days = "14" }) {
      nothing(rest);
      const [times, age] = [wholeNumber("uses", uses, 10_000), wholeNumber("days", days, 400)];
      return (session) => makeInvitation(session, times, age);
    },
  },
  "invite list": { read: (rest) => withNothing(rest, listInvitations) },
  "invite revoke": { read: (rest) => withId(rest, revokeInvitation) },
  reports: { services: social, read: (rest) => withNothing(rest, listReports) },
  "reports list": { services: social, read: (rest) => withNothing(rest, listReports) },
  "reports show": { services: social, read: (rest) => withId(rest, showReport) },
  "reports close": { services: social, read: (rest) => withId(rest, closeReport) },
};

function withNothing(rest: readonly string[], perform: Perform): Perform {
  nothing(rest);
  return perform;
}

function withName(rest: readonly string[], perform: (session: AccountSession, name: string) => Promise<number>) {
  const name = oneName(rest);
  return (session: AccountSession) => perform(session, name);
}

function withId(rest: readonly string[], perform: (session: AccountSession, id: bigint) => Promise<number>) {
  const id = oneId(rest);
  return (session: AccountSession) => perform(session, id);
}
