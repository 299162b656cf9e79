import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { startCli } from "../cli/run-cli.ts";
import { isLong } from "../support/long.ts";
import { register } from "../support/people.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { writeXArchive } from "./write-x-archive.ts";

// In the long form only, since the memory of an import shows with a large archive.
const Memory = suite("endurance: memory of an import");
/** `LARGE_ARCHIVE=1` takes an archive of 1 GB with 1 GB of unpacked tweets in it, which takes minutes. */
const large = process.env.LARGE_ARCHIVE !== undefined;
const [tweets, mediaBytes, maxMegabytes] = large ? [650_000, 900_000_000, 300] : [30_000, 10_000_000, 230];
let services: TestServices;
let directory = "";

Memory.before(async () => {
  services = await startTestServices();
  directory = await mkdtemp(join(tmpdir(), "roost-test-"));
});
Memory.after(async () => {
  await rm(directory, { recursive: true });
  await services.stop();
});

Memory("stays within its limit for a large archive", async () => {
  const path = join(directory, "archive.zip");
  const unpacked = await writeXArchive(path, { tweets, mediaBytes });
  await register(services, "ann");
  const env = { ACCOUNT_URL: services.accountUrl, SOCIAL_URL: services.socialUrl };
  const { code, out, err } = await startCli(["import", path, "--as", "ann"], env, ["--import", peakAtExit]).ended;
  assert.is(code, 0);
  assert.match(out, new RegExp(`\\nadded ${tweets}, updated 0, unchanged 0, refused 0\\n$`));
  const peak = Number(/^peak (\d+) KB$/m.exec(err)?.[1]) / 1_000;
  const size = (await stat(path)).size;
  console.log(`archive ${size} bytes, tweets ${unpacked} bytes, peak ${peak} MB`);
  assert.ok(unpacked > (large ? 1_000_000_000 : 1_500 * tweets), `${unpacked}`);
  assert.ok(peak < maxMegabytes, `${peak} MB`);
});

// The largest resident set of the process, which it prints when it ends.
const peakAtExit =
  "data:text/javascript,process.on('exit',()=>process.stderr.write(`peak ${process.resourceUsage().maxRSS} KB\\n`))";

if (isLong || large) Memory.run();
