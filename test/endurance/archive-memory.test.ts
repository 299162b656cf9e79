import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { contractDate } from "../../services/platform/contract-date.ts";
import { zipFile } from "../archives/archive-files.ts";
import { archivedTweet, xFile } from "../archives/archive-samples.ts";
import { startCli } from "../cli/run-cli.ts";
import { isLong } from "../support/long.ts";
import { register } from "../support/people.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

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
  const unpacked = await writeArchive(path);
  await register(services, "ann");
  const env = { ACCOUNT_URL: services.accountUrl, SOCIAL_URL: services.socialUrl };
  const { code, out, err } = await startCli(["import", path, "--as", "ann"], env, ["--import", peakAtExit]).ended;
  assert.is(code, 0);
  assert.match(out, new RegExp(`\\nadded ${tweets}, updated 0, unchanged 0, refused 0\\n$`));
  const peak = Number(/^peak (\d+) KB$/m.exec(err)?.[1]) / 1_000;
  console.log(`tweets ${unpacked} bytes, peak ${peak} MB`);
  assert.ok(unpacked > (large ? 1_000_000_000 : 1_500 * tweets), `${unpacked}`);
  assert.ok(peak < maxMegabytes, `${peak} MB`);
});

// The largest resident set of the process, which it prints when it ends.
const peakAtExit =
  "data:text/javascript,process.on('exit',()=>process.stderr.write(`peak ${process.resourceUsage().maxRSS} KB\\n`))";

if (isLong || large) Memory.run();

/** Writes an archive of X, with a picture that does not compress; returns the unpacked size of its tweets in bytes. */
async function writeArchive(path: string): Promise<number> {
  const account = xFile("account", [{ account: { accountId: "2244994945" } }]);
  const pieces = [Buffer.from("window.YTD.tweets.part0 = [\n")];
  // The newest first, as X does.
  for (let index = tweets; index > 0; index--) {
    const json = JSON.stringify({ tweet: longTweet(index) }, null, 2);
    pieces.push(Buffer.from(`${json}${index > 1 ? "," : "]"}\n`));
  }
  const data = Buffer.concat(pieces);
  const picture = { name: "data/tweets_media/1.jpg", data: Buffer.alloc(mediaBytes, 1), stored: true };
  await writeFile(path, zipFile([account, { name: "data/tweets.js", data }, picture]));
  return data.length;
}

/** A tweet as long as those of X, about 1.7 KB, one second after the one before; every fifth one answers that. */
function longTweet(index: number) {
  const idOf = (number: number) => `${153_000_000_000_000_000n + BigInt(number) * 4_194_304_000n}`;
  const id = idOf(index);
  const url = `https://t.co/${id.slice(-10)}`;
  const words = Array.from({ length: 9 }, () => Math.random().toString(36).slice(2, 9));
  return archivedTweet(id, {
    created_at: contractDate(new Date(Number(BigInt(id) >> 22n) + 1_288_834_974_657)),
    full_text: `@example_user ${words.join(" ")} #tag${index % 100} ${url}`,
    entities: {
      hashtags: [{ text: `tag${index % 100}`, indices: ["100", "106"] }],
      symbols: [],
      user_mentions: [
        { name: "Example User", screen_name: "example_user", indices: ["0", "13"], id_str: "12", id: "12" },
      ],
      urls: [
        {
          url,
          expanded_url: `https://example.com/articles/${id}/${words.join("-")}`,
          display_url: "example.com/articles/…",
          indices: ["107", "130"],
        },
      ],
    },
    ...(index % 5 === 0 && {
      in_reply_to_status_id_str: idOf(index - 1),
      in_reply_to_status_id: idOf(index - 1),
      in_reply_to_user_id: "2244994945",
      in_reply_to_user_id_str: "2244994945",
      in_reply_to_screen_name: "owner",
    }),
  });
}
