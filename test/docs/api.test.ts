import { suite } from "uvu";
import * as assert from "uvu/assert";
import { importFiles } from "../../cli/import/import-files.ts";
import { memorySource } from "../../cli/import/memory-source.ts";
import { readTown } from "../../services/local/sample/read-town.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import { curl } from "./curl.ts";
import { readPage } from "./examples.ts";
import { matchReply } from "./reply-pattern.ts";
import { shellWords } from "./shell-words.ts";

const Api = suite("docs/api.md");
let system: TestSystem;

Api.before(async () => {
  system = await startTestSystem();
  const { users, statuses } = readTown(system.url);
  const report = {
    refused: (place: string, reason: string) => assert.unreachable(`${place}: ${reason}`),
    progress: () => {},
  };
  await importFiles(system.clients, [memorySource("town", [...users, ...statuses])], report, { origin: "sample" });
});
Api.after(() => system.stop());

const { examples, commands } = readPage("api.md");

Api("shows a reply for every command", () => {
  assert.is(examples.length, commands);
  assert.ok(examples.length >= 25);
});

for (const { command, form, reply } of examples) {
  Api(command, async () => {
    const words = shellWords(command, new Map());
    const { head, body } = await curl(words, (url) => url.replace("http://127.0.0.1:8080", system.url));
    if (form === "json") return matchReply(body, reply);
    const [headers = "", expected] = reply.split("\n\n");
    for (const line of headers.split("\n"))
      assert.ok(head.includes(line.toLowerCase()), `${line} in ${head.join(" | ")}`);
    if (expected !== undefined) matchReply(body, expected);
  });
}

Api.run();
