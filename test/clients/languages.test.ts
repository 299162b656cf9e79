import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { useSharedSystem } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import type { TestSystem } from "../support/system.ts";

// Clients in @grpc/grpc-js are in test/system and test/platform.
const Languages = suite("clients in other languages");
const run = promisify(execFile);
let system: TestSystem;
useSharedSystem(Languages, (shared) => (system = shared));

/** Whether a program runs here with what the client needs. Says so loudly where it does not. */
async function has(program: string, ...check: string[]): Promise<boolean> {
  const runs = await run(program, check).then(
    () => true,
    () => false,
  );
  if (!runs)
    console.warn(`\n!!! SKIPPED: ${program} ${check.join(" ")} fails here; clients in it are not tested !!!\n`);
  return runs;
}

/** What a client of languages/ prints. */
async function printed(program: string, file: string, ...parameters: string[]): Promise<string> {
  const { stdout } = await run(program, [join(import.meta.dirname, "languages", file), ...parameters], {
    timeout: 120_000,
  });
  return stdout;
}

// Debian's own Python has Debian's grpcio.
const python = "/usr/bin/python3";
const testIf = (isThere: boolean) => (isThere ? Languages : Languages.skip);

testIf(await has(python, "-c", "import grpc, google.protobuf"))("in Python, by gRPC", async () => {
  const folder = mkdtempSync(join(tmpdir(), "roost-descriptors-"));
  try {
    const descriptors = join(folder, "all.binpb");
    await run(join(import.meta.dirname, "../../node_modules/.bin/buf"), ["build", "-o", descriptors]);
    const targets = [system.accountUrl, system.socialUrl].map((url) => new URL(url).host);
    assert.equal(JSON.parse(await printed(python, "client.py", descriptors, ...targets)), {
      same: true,
      text: "From Python: ünï ✓",
      refusal: ["ALREADY_EXISTS", "UserName already exists"],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

testIf(await has("php", "-r", "curl_init() || exit(1);"))("in PHP, with lists and a session in a cookie", async () => {
  const names = ["php2", "php1"];
  const expected = { query: names, form: names, nested: names, sessions: 1 };
  assert.equal(JSON.parse(await printed("php", "client.php", system.url)), expected);
});

testIf(await has("java", "-version"))("in Java, with a session in a cookie", async () => {
  const [made, sessions] = (await printed("java", "Client.java", system.url)).trim().split("\n");
  assert.match(made ?? "", /^200 \{"userId":/);
  assert.match(sessions ?? "", /^200 .*"current":true/);
});

Languages.run();
