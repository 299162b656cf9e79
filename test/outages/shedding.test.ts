import { keepBusy } from "../support/busy-turns.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

const Shedding = suite("a gateway whose event loop is too slow");
let system: TestSystem;
Shedding.before(async () => {
  system = await startTestSystem({ MAX_EVENT_LOOP_DELAY_MS: "150" });
});
Shedding.after(() => system.stop());

const statusOf = async (path: string) => (await fetch(`${system.url}${path}`)).status;

Shedding("refuses cached reads, too, until it is fast again", async () => {
  await eventually("it serves", async () => (await statusOf("/social/unknown")) === 200);
  // The second request and all later ones take the fast path.
  await eventually("it serves by the fast path", async () => (await statusOf("/social/unknown")) === 200);
  const calmDown = keepBusy();
  try {
    await eventually("it refuses", async () => (await statusOf("/social/unknown")) === 503);
  } finally {
    calmDown();
  }
  await eventually("it serves again", async () => (await statusOf("/social/unknown")) === 200);
});

Shedding.run();
