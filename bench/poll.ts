import { readCounts } from "./command-line.ts";
import { pollWhilePublishing } from "./poll/poll-while-publishing.ts";
import { unlimitedWrites } from "./system/unlimited-writes.ts";
import { withEmptySystem } from "./system/with-empty-system.ts";

const help = `usage: node --import tsx bench/poll.ts [AUTHORS] [STATUSES]

32 writers publish that many statuses, for one author and for that many authors, while 32 pollers read with sinceId. Fails where a
poller does not end with exactly the published statuses.

  node --import tsx bench/poll.ts 200 3200    the defaults`;
const [authors, statuses] = readCounts(help, [200, 3_200]) as [number, number];
await withEmptySystem(async ({ socialUrl }) => {
  for (const count of [1, authors]) {
    const result = await pollWhilePublishing(socialUrl, { authors: count, statuses });
    const { published, polls, seconds, faults } = result;
    console.log(
      `${count} authors: ${published} statuses, ${polls} polls, ${seconds.toFixed(1)} s, ${faults.length} faults`,
    );
    for (const fault of faults.slice(0, 10)) console.log(`  ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }
}, unlimitedWrites);
