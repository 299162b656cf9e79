// One process of churn.ts: runs random actions, a few at a time, and reports their results.
import { once } from "node:events";
import { Code, ConnectError } from "@connectrpc/connect";
import { createActions } from "./actions.ts";
import type { WorkerTask } from "./churn.ts";
import { connect } from "./writers.ts";

const [task] = (await once(process, "message")) as [WorkerTask];
const { transport, close } = connect(task.socialUrl);
const act = createActions(transport, task.people.map(BigInt), task.seed);
const counts: Record<string, number> = {};
let left = task.actions;
await Promise.all(
  Array.from({ length: 4 }, async () => {
    while (left-- > 0) {
      const answer = await act().then(
        () => "Ok",
        (error: unknown) => Code[ConnectError.from(error).code] ?? "Unknown",
      );
      counts[answer] = (counts[answer] ?? 0) + 1;
    }
  }),
);
close();
process.send?.(counts, () => process.disconnect());
