import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { importFiles } from "../../cli/import/import-files.ts";
import { memorySource } from "../../cli/import/memory-source.ts";
import { sampleTown } from "../../services/local/sample/town.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

const Api = suite("docs/api.md");
let system: TestSystem;

Api.before(async () => {
  system = await startTestSystem();
  const { users, statuses } = sampleTown(new Date());
  const report = {
    refused: (place: string, reason: string) => assert.unreachable(`${place}: ${reason}`),
    progress: () => {},
  };
  await importFiles(system.clients, [memorySource("town", [...users, ...statuses])], report, { origin: "sample" });
});
Api.after(() => system.stop());

/** Every command of the page with the reply that the page shows for it. */
const text = readFileSync(join(import.meta.dirname, "../../docs/api.md"), "utf8");
const examples = [...text.matchAll(/```sh\n(curl .*)\n```\n\n```(json|http)\n([^`]*)\n```/g)].map(
  ([, command, form, reply]) => ({ command: command as string, form, reply: reply as string }),
);

Api("shows a reply for every command", () => {
  assert.is(examples.length, text.match(/```sh/g)?.length);
  assert.ok(examples.length >= 25);
});

for (const { command, form, reply } of examples) {
  Api(command, async () => {
    const { head, body } = await curl(command);
    if (form === "json") return assert.match(body, pattern(reply));
    const [headers = "", expected] = reply.split("\n\n");
    for (const line of headers.split("\n"))
      assert.ok(head.includes(line.toLowerCase()), `${line} in ${head.join(" | ")}`);
    if (expected !== undefined) assert.match(body, pattern(expected));
  });
}

Api.run();

/** The shown reply as a pattern of the whole: `…` stands for anything. */
function pattern(reply: string): RegExp {
  return new RegExp(
    `^${reply
      .split("…")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`,
    "s",
  );
}

/** Does what curl would, for the few options that the page uses. */
async function curl(command: string): Promise<{ head: string[]; body: string }> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => (quoted ?? plain) as string);
  const headers: Record<string, string> = {};
  let method: string | undefined;
  let body: string | undefined;
  let url = "";
  for (let at = 1; at < words.length; at++) {
    const word = words[at] as string;
    if (word === "-i") continue;
    else if (word === "-X") method = words[++at];
    else if (word === "-d") body = words[++at];
    else if (word === "-H") {
      const [name = "", value = ""] = (words[++at] as string).split(/: (.*)/);
      headers[name] = value;
    } else url = word.replace("http://127.0.0.1:8080", system.url);
  }
  // As curl does: whatever -d holds is announced as a form.
  if (body !== undefined) headers["content-type"] ??= "application/x-www-form-urlencoded";
  const response = await fetch(url, { method: method ?? (body === undefined ? "GET" : "POST"), headers, body });
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`.toLowerCase());
  return {
    head: [`http/1.1 ${response.status} ${response.statusText}`.toLowerCase(), ...lines],
    body: await response.text(),
  };
}
