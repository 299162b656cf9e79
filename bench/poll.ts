// `node --import tsx bench/poll.ts [AUTHORS] [STATUSES]`: 32 writers publish that many statuses, for one author and for that many
// authors, while 32 pollers read with sinceId. Every poller must end with exactly the published statuses.
import { pollWhilePublishing } from "./poll/poll-while-publishing.ts";
import { unlimitedWrites } from "./system/unlimited-writes.ts";
import { withEmptySystem } from "./system/with-empty-system.ts";

const [authors = 200, statuses = 3_200] = process.argv.slice(2).map(Number);
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
