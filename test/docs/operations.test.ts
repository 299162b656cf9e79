import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { listSettings } from "../../services/platform/environment.ts";
import { suite } from "../support/suite.ts";
import { definitions, withSettingsTables } from "./settings-tables.ts";

const Operations = suite("docs/operations.md");
const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/operations.md"), "utf8");

Operations("lists the settings that the processes read; else run `npm run settings`", () => {
  assert.is(page, withSettingsTables(page));
});

for (const main of ["gateway/main.ts", "services/account/main.ts", "services/social/main.ts"]) {
  Operations(`${main} names all its invalid settings at once, without secrets`, async () => {
    const port = `${(/gateway|account|social/.exec(main)?.[0] ?? "").toUpperCase()}_PORT`;
    const { code, output } = await run(main, {
      [port]: "many",
      LOG_LEVEL: "loud",
      SERVICE_TOKEN: "hush",
      DATABASE_URL: "postgres://me:hush@[",
      REDIS_URL: "redis://:hush@[",
    });
    assert.is(code, 1);
    for (const name of [port, "LOG_LEVEL"]) assert.match(output, `${name} must be`);
    assert.match(output, main.includes("gateway") ? "REDIS_URL must be" : "DATABASE_URL must be");
    assert.not.match(output, "hush");
  });
}

Operations.run();

/** Runs a process until it ends. */
async function run(main: string, settings: NodeJS.ProcessEnv): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [...process.execArgv, main], {
    cwd: root,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

const Example = suite(".env.example");
const lines = readFileSync(join(import.meta.dirname, "../../.env.example"), "utf8").split("\n");
const settings = ["gateway", "account", "social"].flatMap((process) =>
  listSettings(definitions[process] ?? (() => {})),
);
const named = lines.flatMap((line, index) => {
  const [, name, value = ""] = /^# ([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
  return name === undefined ? [] : [{ name, value, meaning: lines[index - 1] ?? "" }];
});

Example("changes nothing: every line is a comment or blank", () => {
  for (const line of lines) assert.match(line, /^(#|$)/);
});

Example("names settings that a process reads, each once and after a line that explains it", () => {
  assert.ok(named.length > 30, `${named.length}`);
  assert.is(new Set(named.map(({ name }) => name)).size, named.length);
  const known = new Set(settings.flatMap(({ names }) => names));
  for (const { name, meaning } of named) assert.ok(known.has(name) && /^# .+\.$/.test(meaning), name);
});

Example("gives each its default, where it has one", () => {
  for (const { names, fallback } of settings) {
    for (const { name, value } of named) if (names.includes(name) && fallback) assert.is(value, fallback, name);
  }
});

Example("names every setting without which a process does not start", () => {
  const required = settings.filter(({ meaning }) => meaning.endsWith("Required.")).map(({ names }) => names[0]);
  assert.is(required.length, 2);
  assert.ok(required.every((name) => named.some((one) => one.name === name)));
});

Example.run();
