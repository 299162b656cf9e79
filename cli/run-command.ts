import { Code, ConnectError } from "@connectrpc/connect";
import { AccountService } from "../proto/gen/account/v1/account_service_pb.ts";
import { SocialService } from "../proto/gen/social/v1/social_service_pb.ts";
import { ConfigurationError } from "../services/platform/environment.ts";
import { type CliConfig, readCliConfig } from "./config.ts";
import { UserError } from "./errors.ts";
import { type Clients, connectServices } from "./import/services.ts";
import { printable, type Terminal, type TerminalReporter, terminalReporter } from "./reporter.ts";

/** The parameters of every command. */
export interface CommandContext {
  clients: Clients;
  reporter: TerminalReporter;
  /** Sets the message for a failure or an interruption: what was stored, and how to continue. */
  onStop(whatWasStored: () => string): void;
}

/**
 * Runs a command against the system that the settings name, and prints its addresses on `err` first. SIGINT and SIGTERM end
 * the process with code 130 and 143, after a line that says what was stored.
 * @param services those that the command needs; it does not begin unless all of them answer.
 * @returns the command's exit code; 1 after a failure that the operator can correct.
 * @throws any other failure, which is a defect.
 */
export async function runCommand(
  err: Terminal,
  services: readonly ServiceName[],
  command: (context: CommandContext) => Promise<number>,
): Promise<number> {
  let whatWasStored = () => "";
  const reporter = terminalReporter(err);
  const interrupted = (signal: "SIGINT" | "SIGTERM") => {
    reporter.done();
    err.write(`Interrupted. ${printable(whatWasStored())}\n`);
    process.exit(signal === "SIGINT" ? 130 : 143);
  };
  process.on("SIGINT", interrupted).on("SIGTERM", interrupted);
  let close = () => {};
  try {
    const config = readCliConfig();
    const connected = connectServices(config);
    close = connected.close;
    err.write(`Roost: ${services.map((name) => `${name} service ${addressOf(config, name)}`).join(", ")}\n`);
    for (const name of services) await checkAnswers(connected.clients, config, name);
    return await command({ clients: connected.clients, reporter, onStop: (text) => (whatWasStored = text) });
  } catch (error) {
    reporter.done();
    reportFailure(err, error, whatWasStored());
    return 1;
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    reporter.done();
    close();
  }
}

export type ServiceName = "account" | "social";

/**
 * Prints why a command failed, and what was stored.
 * @throws the failure itself when it is a defect.
 */
export function reportFailure(err: Terminal, error: unknown, whatWasStored: string): void {
  const isKnown = error instanceof UserError || error instanceof ConfigurationError;
  // A full disk or a missing folder: Node's error names the system call.
  const isOfSystem = error instanceof Error && "syscall" in error;
  if (!isKnown && !isOfSystem) throw error;
  const lines = [...error.message.split("\n"), ...(whatWasStored === "" ? [] : [whatWasStored])];
  err.write(`${lines.map(printable).join("\n")}\n`);
}

async function checkAnswers({ health }: Clients, config: CliConfig, name: ServiceName): Promise<void> {
  const { typeName: service } = { account: AccountService, social: SocialService }[name];
  try {
    await health[name].check({ service }, { timeoutMs: 5_000 });
  } catch (error) {
    const { code, message } = ConnectError.from(error);
    const address = addressOf(config, name);
    if (code === Code.Unauthenticated || code === Code.PermissionDenied) {
      throw new UserError(`The ${name} service at ${address} refuses this tool: ${message}`);
    }
    if (silent.has(code)) throw new UserError(`No Roost answers at ${address}: is \`npm start\` running?`);
    throw new UserError(`What answers at ${address} is not Roost's ${name} service: ${message}`);
  }
}

const silent = new Set([Code.Unavailable, Code.Aborted, Code.DeadlineExceeded]);

/** The address of a service, without the user and password of its URL. */
function addressOf({ accountUrl, socialUrl }: CliConfig, name: ServiceName): string {
  const { protocol, host, pathname } = new URL(name === "account" ? accountUrl : socialUrl);
  return `${protocol}//${host}${pathname.replace(/\/$/, "")}`;
}
