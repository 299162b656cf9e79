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

Operations("detects a missing or unknown setting", () => {
  assert.is.not(page.replace(/\| `GATEWAY_PORT`.*\n/, ""), withSettingsTables(page));
  assert.throws(() => withSettingsTables(page.replace("settings: cli", "settings: clo")), /clo/);
});

for (const main of ["gateway/main.ts", "services/account/main.ts", "services/social/main.ts"]) {
  Operations(`${main} names all its invalid settings at once, without secrets`, async () => {
    const port = `${main.includes("gateway") ? "GATEWAY" : main.includes("account") ? "ACCOUNT" : "SOCIAL"}_PORT`;
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

Operations("a gateway logs no secret at level trace while its Redis is unavailable", async () => {
  const { output } = await run("gateway/main.ts", {
    GATEWAY_PORT: "0",
    LOG_LEVEL: "trace",
    SERVICE_TOKEN: "hush",
    REDIS_URL: "redis://user:hush@127.0.0.1:1",
  });
  assert.match(output, '"msg":"ready"');
  assert.not.match(output, "hush");
});

Operations.run();

/** Runs a process until it ends; ends it half a second after it is ready. */
async function run(main: string, settings: NodeJS.ProcessEnv): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [...process.execArgv, main], {
    cwd: root,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const take = (chunk: Buffer) => {
    output += chunk.toString();
    if (output.includes('"msg":"ready"')) setTimeout(() => child.kill(), 500);
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
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
  assert.equal(
    lines.filter((line) => line !== "" && !line.startsWith("#")),
    [],
  );
});

Example("names settings that a process reads, each once and after a line that explains it", () => {
  assert.ok(named.length > 30, `${named.length}`);
  assert.is(new Set(named.map(({ name }) => name)).size, named.length);
  const known = new Set(settings.flatMap(({ names }) => names));
  assert.equal(
    named.filter(({ name, meaning }) => !known.has(name) || !/^# .+\.$/.test(meaning)),
    [],
  );
});

Example("gives each its default, where it has one", () => {
  const wrong = named.filter(({ name, value }) => {
    const fallbacks = settings.flatMap(({ names, fallback }) => (names.includes(name) && fallback ? [fallback] : []));
    return fallbacks.some((fallback) => fallback !== value);
  });
  assert.equal(wrong, []);
});

Example("names every setting without which a process does not start", () => {
  const required = settings.filter(({ meaning }) => meaning.endsWith("Required.")).map(({ names }) => names[0]);
  assert.is(required.length, 2);
  assert.ok(required.every((name) => named.some((one) => one.name === name)));
});

Example.run();
