import { spawn } from "node:child_process";
import { join } from "node:path";
import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { operation } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { importSample } from "../../services/local/load-sample.ts";
import { rpcs } from "../support/rpcs.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";
import { curl, matchReply, readPage, readText, shellWords, type Variables } from "./examples.ts";

const Api = suite("docs/api.md");
const system = useSystem(Api);

Api.before(async () => {
  await importSample({ ...system, serviceTokens: [] }, (refusal) => assert.unreachable(refusal));
});

const { examples, commands } = readPage("api.md");
const variables: Variables = new Map();

Api("shows a reply for every command", () => {
  assert.is(examples.length, commands);
  assert.ok(examples.length >= 45);
});

Api("follows the sections of docs/contract.md", () => {
  const [headings, sections] = ["api.md", "contract.md"].map((name) =>
    [...readText(name).matchAll(/^## .*/gm)].map(([heading]) => heading),
  ) as [string[], string[]];
  const wrong = sections.filter((heading) => !headings.includes(heading));
  assert.equal(wrong, []);
  assert.equal(headings, headings.toSorted(compareNumbers));
});

Api("has a call of every public operation", () => {
  const isCalled = (method: DescMethod) => examples.some(({ command }) => urlOf(method).test(command));
  const operations = rpcs.filter((method) => hasOption(method, operation));
  assert.ok(operations.length >= 20);
  const missing = operations.filter((method) => !isCalled(method)).map(({ name }) => name);
  assert.equal(missing, []);
});

for (const { command, form, reply } of examples) {
  Api(command, async () => {
    const words = shellWords(command, variables);
    const { head, body } = await curl(words, (url) => url.replace("http://127.0.0.1:8080", system.url));
    if (form === "json") return matchReply(body, reply, variables);
    const [headers = "", expected] = reply.split("\n\n");
    for (const line of headers.split("\n"))
      assert.ok(head.includes(line.toLowerCase()), `${line} in ${head.join(" | ")}`);
    if (expected !== undefined) matchReply(body, expected, variables);
  });
}

Api.run();

/** Matches a URL of an operation: one of its own paths, or its name on a generic route. */
function urlOf(method: DescMethod): RegExp {
  const paths = getOption(method, operation).paths.map((path) => path.replaceAll(/\{\w+\}/g, "[^/ ]+"));
  return new RegExp(`127\\.0\\.0\\.1:8080(${paths.join("|")}|/(json/\\w+|api)/${method.name})(?=[?'" ]|$)`, "i");
}

function compareNumbers(a: string, b: string): number {
  return Number.parseInt(a.slice(3), 10) - Number.parseInt(b.slice(3), 10);
}

const InternalApi = suite("docs/internal-api.md");
const services = useServices(InternalApi);
const internal = readPage("internal-api.md");
const internalVariables: Variables = new Map();

InternalApi("shows a reply for every command", () => {
  assert.is(internal.examples.length, internal.commands);
});

InternalApi("has a call of every RPC", () => {
  const paths = rpcs.map((method) => `/${method.parent.typeName}/${method.name}`);
  assert.ok(paths.length >= 45);
  const wrong = paths.filter((path) => !internal.examples.some(({ command }) => command.endsWith(path)));
  assert.equal(wrong, []);
});

for (const { command, reply } of internal.examples) {
  InternalApi(command, async () => {
    const words = shellWords(command, internalVariables);
    const printed = words[0] === "curl" ? (await curl(words, place)).body : await bufCurl(words.slice(2));
    matchReply(printed, reply, internalVariables);
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
