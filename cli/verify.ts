import type { Client } from "@connectrpc/connect";
import type { Drift, VerifyService } from "../proto/gen/social/v1/verify_service_pb.ts";
import { chunk } from "../services/platform/chunk.ts";
import { viewerHeader } from "../services/platform/connect/identity.ts";
import type { Clients } from "./import/services.ts";
import type { Terminal } from "./reporter.ts";
import { runCommand } from "./run-command.ts";
import { compare, type Difference } from "./verify/compare.ts";

/**
 * The command `verify`: one line to `out` for each counter that is wrong and for each user of whom the services say different things, and
 * two that count.
 * @param repair whether the account service is asked to make or delete what is missing
 * @returns the exit code: 0 when everything is right, or is being repaired, else 1.
 */
export function runVerify(repair: boolean, out: Terminal, err: Terminal): Promise<number> {
  return runCommand(err, ["account", "social"], async ({ clients, onStop }) => {
    onStop(() => `Not everything was verified; ${repair ? "what was printed as repaired is" : "nothing was changed"}.`);
    const report = (drift: Drift) => out.write(`${lineOf(drift)}\n`);
    const { profiles, statuses, drifts } = await recount(clients.verify, report);
    out.write(`${profiles} profiles and ${statuses} statuses recounted, ${drifts} wrong counters\n`);
    let [found, repaired] = [0, 0];
    const compared = await compare(clients, async (differences) => {
      const isRepaired = (one: Difference) => repair && one.repair !== undefined;
      if (repair) await repairAll(clients, differences);
      for (const one of differences) {
        out.write(`user ${one.userId}: ${one.text}${isRepaired(one) ? "; is being repaired" : ""}\n`);
      }
      found += differences.length;
      repaired += differences.filter(isRepaired).length;
    });
    const end = repair ? `, ${repaired} being repaired` : "";
    out.write(`${compared.accounts} accounts and ${compared.profiles} profiles compared, ${found} differences${end}\n`);
    return drifts === 0 && found === repaired ? 0 : 1;
  });
}

async function repairAll({ account, accountVerify }: Clients, differences: readonly Difference[]): Promise<void> {
  const idsOf = (repair: Difference["repair"]) =>
    differences.filter((one) => one.repair === repair).map((one) => one.userId);
  for (const userIds of chunk(idsOf("queue"), 1_000)) await accountVerify.queueMissing({ userIds });
  for (const userId of idsOf("delete"))
    await account.deleteAccount({ userId }, { headers: { [viewerHeader]: `${userId}` } });
}

function lineOf({ userId, statusId, field, stored, counted }: Drift): string {
  const whose = statusId === 0n ? `user ${userId}` : `status ${statusId} of user ${userId}`;
  return `${whose}: ${field} is ${stored}, counted ${counted}`;
}

/** How much was recounted. */
interface Recounted {
  profiles: number;
  statuses: number;
  drifts: number;
}

/**
 * Recounts every counter, page by page, and reports each that is wrong.
 */
export async function recount(
  verify: Client<typeof VerifyService>,
  report: (drift: Drift) => void,
): Promise<Recounted> {
  const done: Recounted = { profiles: 0, statuses: 0, drifts: 0 };
  const note = (drifts: Drift[]) => {
    done.drifts += drifts.length;
    for (const drift of drifts) report(drift);
  };
  for (let afterUserId: bigint | undefined = 0n; afterUserId !== undefined; ) {
    const page = await verify.recountProfiles({ afterUserId });
    note(page.drifts);
    done.profiles += page.recounted;
    afterUserId = page.nextAfterUserId || undefined;
  }
  for (let more = true, after: Awaited<ReturnType<typeof verify.recountStatuses>>["nextAfter"]; more; ) {
    const page = await verify.recountStatuses({ after });
    note(page.drifts);
    done.statuses += page.recounted;
    after = page.nextAfter;
    more = after !== undefined;
  }
  return done;
}
