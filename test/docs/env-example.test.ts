import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { listSettings } from "../../services/platform/environment.ts";
import { suite } from "../support/suite.ts";
import { definitions } from "./settings-tables.ts";

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
