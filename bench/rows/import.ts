import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Row } from "../row.ts";
import type { Side, SideSystem } from "../side.ts";
import { empty } from "./writes.ts";

/** New statuses of a thousand authors by `npm run import`, without the time in which the tool starts. */
export const importing: Row = {
  name: "import",
  title: "import of statuses",
  unit: "statuses/s",
  floor: { atLeast: 8_000 },
  async prepare(side, { seconds, defer }) {
    const system = await side.system(empty);
    const count = Math.ceil(15_000 * seconds);
    const file = join(tmpdir(), `roost-import-${process.pid}.json`);
    defer(() => rmSync(file, { force: true }));
    let next = 1_000_000;
    const importSome = async (some: number) => {
      writeFileSync(file, JSON.stringify(Array.from({ length: some }, () => statusJson(next++))));
      const start = performance.now();
      await importFile(side, system, file);
      return (performance.now() - start) / 1_000;
    };
    // The authors, and the first statuses of each.
    await importSome(2_000);
    return async () => {
      const start = await importSome(1);
      return { value: (count - 1) / ((await importSome(count)) - start) };
    };
  },
};

/** @throws Error with the tool's output when it refuses something */
async function importFile({ root }: Side, { accountUrl, socialUrl }: SideSystem, file: string): Promise<void> {
  const env = { ...process.env, ACCOUNT_URL: accountUrl, SOCIAL_URL: socialUrl };
  await promisify(execFile)(process.execPath, ["--import", "tsx", "cli/main.ts", "import", file], { cwd: root, env });
}

function statusJson(index: number) {
  const author = index % 1_000;
  const [, weekday, day, month, year, time] =
    /^(\w+), (\d+) (\w+) (\d+) (\S+)/.exec(new Date(Date.UTC(2012, 0, 1) + index * 6_000).toUTCString()) ?? [];
  return {
    id_str: `${index}`,
    created_at: `${weekday} ${month} ${day} ${time} +0000 ${year}`,
    text: `Status ${index} of @bench${author}, with a link to http://t.co/abcdefghij and a #hashtag`,
    source: "bench",
    retweet_count: index % 7,
    entities: {
      urls: [
        {
          url: "http://t.co/abcdefghij",
          display_url: "a.example",
          expanded_url: "http://a.example",
          indices: [40, 62],
        },
      ],
      user_mentions: [
        { id_str: `${author + 1}`, name: `Bench ${author}`, screen_name: `bench${author}`, indices: [10, 20] },
      ],
      hashtags: [{ text: "hashtag", indices: [70, 78] }],
    },
    user: {
      id_str: `${author + 1}`,
      screen_name: `bench${author}`,
      name: `Bench ${author}`,
      created_at: "Sun Jan 01 00:00:00 +0000 2012",
      lang: "en",
    },
  };
}
