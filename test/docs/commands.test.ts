import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { isLong } from "../support/long.ts";
import { suite } from "../support/suite.ts";

const Commands = suite("the commands");
const root = join(import.meta.dirname, "../..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };

/** The scripts of our own, with a misspelled option of each and what is meant. */
const commands: Record<string, [wrong: string, meant: string]> = {
  start: ["--emtpy", "--empty"],
  import: ["--dry-rum", "--dry-run"],
  export: ["--hlep", "--help"],
  verify: ["--repiar", "--repair"],
  account: ["--serch", "--search"],
  backup: ["--hepl", "--help"],
  restore: ["--relpace", "--replace"],
  shards: ["--block-write", "--block-writes"],
  reindex: ["--hepl", "--help"],
  bench: ["--round", "--rounds"],
  consistency: ["--raeds", "--reads"],
  contract: ["--hepl", "--help"],
  faults: ["--time", "--times"],
  fuzz: ["--hepl", "--help"],
  test: ["--lnog", "--long"],
  check: ["--hepl", "--help"],
  settings: ["--hepl", "--help"],
  "weighted-text": ["--hepl", "--help"],
};
// Loading these takes long, so they are tested in the long form only.
const slow = ["consistency", "faults", "fuzz"];
const tested = Object.keys(commands).filter((name) => isLong || !slow.includes(name));

/** Scripts that run a tool of others, which has its own. */
const ofOthers = ["generate", "release-contract", "format"];

interface Ended {
  code: number;
  output: string;
  errors: string;
}

/** Runs a script as npm does, but without compiling anything first. */
function run(name: string, ...words: string[]): Promise<Ended> {
  const [, main = "", command] = /(\S+\.ts)(?: (\w+))?$/.exec(scripts[name] ?? "") ?? [];
  const given = [main, ...(command === undefined ? [] : [command]), ...words];
  return new Promise((resolve) => {
    execFile(process.execPath, [...process.execArgv, ...given], { cwd: root }, (error, output, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), output, errors }),
    );
  });
}

Commands("are all scripts but those that run a tool of others", () => {
  assert.equal(Object.keys(scripts).toSorted(), [...Object.keys(commands), ...ofOthers].toSorted());
});

Commands("print their usage for --help, without a database or a running system", async () => {
  const ended = await Promise.all(tested.map((name) => run(name, "--help")));
  for (const [index, { code, output, errors }] of ended.entries()) {
    const name = tested[index] as string;
    assert.equal([code, errors], [0, ""], name);
    assert.match(output, new RegExp(`^usage: npm run (?:backup|${name}).*\\n|^Usage: npm (?:run )?${name}.*\\n`, "i"));
  }
});

Commands("refuse a misspelled option with what is meant and their usage, without a stack trace", async () => {
  const ended = await Promise.all(tested.map((name) => run(name, commands[name]?.[0] as string)));
  for (const [index, { code, output, errors }] of ended.entries()) {
    const name = tested[index] as string;
    const [wrong, meant] = commands[name] as [string, string];
    assert.equal([code, output], [2, ""], name);
    const message = `^Unknown option '${wrong}'\\. Did you mean ${meant}\\?\\n\\nusage: npm (?:run )?(?:backup|${name})`;
    assert.match(errors, new RegExp(message, "i"));
    assert.not.match(errors, "    at ");
  }
});

Commands("refuse an option like none that they have", async () => {
  const { code, errors } = await run("contract", "--no-such-option");
  assert.is(code, 2);
  assert.match(errors, /'--no-such-option'[^]*\nusage: npm run contract [^]*\n {2}npm run contract/);
});

Commands.run();
