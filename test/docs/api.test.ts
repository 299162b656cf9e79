import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { operation } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { importSample } from "../../services/local/load-sample.ts";
import { rpcs } from "../support/rpcs.ts";
import { suite } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";
import { curl } from "./curl.ts";
import { readPage, readText } from "./examples.ts";
import { matchReply } from "./reply-pattern.ts";
import { shellWords, type Variables } from "./shell-words.ts";

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
  assert.equal(
    sections.filter((heading) => !headings.includes(heading)),
    [],
  );
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
