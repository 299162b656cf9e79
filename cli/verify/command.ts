import type { Drift } from "../../proto/gen/social/v1/verify_service_pb.ts";
import type { Terminal } from "../reporter.ts";
import { runCommand } from "../run-command.ts";
import { recount } from "./recount.ts";

/**
 * The command `verify`: one line to `out` for each counter that is wrong, and a last one that counts.
 * @returns the exit code: 0 when every counter is right, else 1.
 */
export function runVerify(out: Terminal, err: Terminal): Promise<number> {
  return runCommand(err, ["social"], async ({ clients, onStop }) => {
    onStop(() => "Not all counters were recounted; nothing was changed.");
    const report = (drift: Drift) => out.write(`${lineOf(drift)}\n`);
    const { profiles, statuses, drifts } = await recount(clients.verify, report);
    out.write(`${profiles} profiles and ${statuses} statuses recounted, ${drifts} wrong counters\n`);
    return drifts === 0 ? 0 : 1;
  });
}

function lineOf({ userId, statusId, field, stored, counted }: Drift): string {
  const whose = statusId === 0n ? `user ${userId}` : `status ${statusId} of user ${userId}`;
  return `${whose}: ${field} is ${stored}, counted ${counted}`;
}
