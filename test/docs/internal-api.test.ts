import { spawn } from "node:child_process";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { rpcs } from "../support/rpcs.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { curl } from "./curl.ts";
import { readPage } from "./examples.ts";
import { matchReply } from "./reply-pattern.ts";
import { shellWords, type Variables } from "./shell-words.ts";

const InternalApi = suite("docs/internal-api.md");
const services = useServices(InternalApi);
const { examples, commands } = readPage("internal-api.md");
const variables: Variables = new Map();

InternalApi("shows a reply for every command", () => {
  assert.is(examples.length, commands);
});

InternalApi("has a call of every RPC", () => {
  const paths = rpcs.map((method) => `/${method.parent.typeName}/${method.name}`);
  assert.ok(paths.length >= 45);
  assert.equal(
    paths.filter((path) => !examples.some(({ command }) => command.endsWith(path))),
    [],
  );
});

for (const { command, reply } of examples) {
  InternalApi(command, async () => {
    const words = shellWords(command, variables);
    const printed = words[0] === "curl" ? (await curl(words, place)).body : await bufCurl(words.slice(2));
    matchReply(printed, reply, variables);
  });
}

InternalApi.run();

/** Replaces the hosts of the page by those of the test's services. */
function place(url: string): string {
  return url.replace("http://127.0.0.1:4001", services.accountUrl).replace("http://127.0.0.1:4002", services.socialUrl);
}

/** The output of `buf`; a streaming call is ended after its first output. */
function bufCurl(words: readonly string[]): Promise<string> {
  const buf = join(import.meta.dirname, "../../node_modules/.bin/buf");
  // In its own process group, since the command is a script that starts the program.
  const child = spawn(buf, words.map(place), { cwd: "/", detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const isEndless = words.at(-1)?.endsWith("/Watch");
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
    if (isEndless && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  });
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("close", () => resolve(printed.trim()));
  });
}
