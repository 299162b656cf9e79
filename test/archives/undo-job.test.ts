import * as assert from "uvu/assert";
import { undoJob } from "../../cli/as-user/job.ts";
import type { ImportClients } from "../../cli/import/services.ts";
import { suite } from "../support/suite.ts";

const UndoJob = suite("archives: undoing a job");

UndoJob("counts what a call removed whose answer was lost", async () => {
  let left = 1_500n;
  const remove = () => {
    const removed = left < 1_000n ? left : 1_000n;
    left -= removed;
    return { removed, complete: left === 0n };
  };
  const imports = {
    countImported: async () => ({ statuses: left }),
    // As a repeated call: the first one removed statuses too.
    undoImport: async () => (remove(), remove()),
  };
  const job = { authorId: 1n, job: 1n } as unknown as Parameters<typeof undoJob>[1];
  const report = { progress() {} } as unknown as Parameters<typeof undoJob>[2];
  assert.is(await undoJob({ imports } as unknown as ImportClients, job, report), 1_500);
});

UndoJob.run();
