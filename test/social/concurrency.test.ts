import * as assert from "uvu/assert";
import { times } from "../support/long.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { churn } from "./churn/churn.ts";
import { pollWhilePublishing } from "./churn/poll-while-publishing.ts";
import { listDrift } from "./drift.ts";

const Concurrency = suite("concurrency");
const [statuses, pollers] = [times(64, 192), times(8, 32)];
let services: TestServices;

Concurrency.before(async () => {
  services = await startTestServices();
});
Concurrency.after(() => services.stop());

for (const authors of [1, 6]) {
  Concurrency(`shows pollers every status exactly once while 32 clients write for ${authors}`, async () => {
    const { published, faults } = await pollWhilePublishing(services.socialUrl, { authors, statuses, pollers });
    assert.is(published, statuses);
    assert.equal(faults, []);
  });
}

Concurrency("leaves all counters right without deadlocks when processes write at random", async () => {
  const size = { actions: times(120, 900), processes: times(2, 3), people: 12, seed: 7 };
  const { done, refusals, drifts } = await churn(services.socialUrl, size);
  assert.is(done, size.actions);
  assert.equal(drifts, []);
  assert.equal(
    Object.keys(refusals).filter((code) => !["Ok", "NotFound", "PermissionDenied"].includes(code)),
    [],
  );
  assert.ok((refusals.Ok ?? 0) > size.actions / 2, JSON.stringify(refusals));
  assert.equal(await listDrift(services.database), []);
});

Concurrency.run();
