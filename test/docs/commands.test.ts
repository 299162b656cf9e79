import { execFile } from "node:child_process";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { isLong } from "../support/long.ts";
import { suite } from "../support/suite.ts";

const Commands = suite("the commands");
const root = join(import.meta.dirname, "../..");
const mains = {
  bench: "bench/main.ts",
  consistency: "test/consistency/main.ts",
  contract: "test/contract/main.ts",
  faults: "test/faults/main.ts",
  fuzz: "test/fuzz/main.ts",
};

interface Ended {
  code: number;
  output: string;
  errors: string;
}

function run(main: string, ...words: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...process.execArgv, main, ...words], { cwd: root }, (error, output, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), output, errors }),
    );
  });
}

Commands("print their usage with an example for --help", async () => {
  const { code, output, errors } = await run(mains.contract, "--help");
  assert.equal([code, errors], [0, ""]);
  assert.match(output, /^usage: npm run contract -- URL\n[^]*\n {2}npm run contract -- http/);
});

Commands("print their usage for --help without a database", async () => {
  const { code, output, errors } = await run("services/social/shards/main.ts", "--help");
  assert.equal([code, errors], [0, ""]);
  assert.match(output, /^usage: npm run shards -- create /);
});

Commands("refuse an unknown option with their usage and without a stack trace", async () => {
  // Loading each command takes long, so the others are tested in the long form only.
  const entries = Object.entries(mains).filter(([name]) => isLong || name === "bench" || name === "contract");
  const ended = await Promise.all(entries.map(([, main]) => run(main, "--no-such-option")));
  for (const [index, { code, output, errors }] of ended.entries()) {
    const name = entries[index]?.[0];
    assert.equal([code, output], [2, ""], name);
    assert.match(errors, new RegExp(`'--no-such-option'[^]*\\nusage: npm run ${name} [^]*\\n {2}npm run ${name}`));
    assert.not.match(errors, "    at ");
  }
});

Commands.run();
