import { parseArgs } from "node:util";
import { runImport } from "./import/command.ts";

const usage = `Usage: npm run import -- FILE…

Takes over users and statuses from JSON files in the shape of Twitter API v1.1:
a list of statuses or users, or {"statuses": […]}, {"users": […]}, {"results": […]}.
A later file wins over an earlier one. Running an import again changes nothing.

Settings (environment):
  ACCOUNT_URL    the account service, http://127.0.0.1:4001 by default
  SOCIAL_URL     the social service, http://127.0.0.1:4002 by default
  SERVICE_TOKEN  needed when the services run on another machine

Exit code: 0 when everything went in, 1 when something was refused or failed, 2 for a wrong call.
`;

process.exitCode = await run(process.argv.slice(2));

async function run(args: string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { help: { type: "boolean", short: "h" } },
    });
    const [command, ...files] = positionals;
    if (values.help) {
      process.stdout.write(usage);
      return 0;
    }
    if (command === "import" && files.length > 0) return await runImport(files, process.stdout, process.stderr);
  } catch (error) {
    // parseArgs throws TypeErrors with a code for options that it does not know.
    if (!(error instanceof TypeError && "code" in error)) throw error;
    process.stderr.write(`${error.message}\n\n`);
  }
  process.stderr.write(usage);
  return 2;
}
