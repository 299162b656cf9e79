import { ConnectError, createClient } from "@connectrpc/connect";
import { type Drift, VerifyService } from "../../proto/gen/social/v1/verify_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { ConfigurationError } from "../../services/platform/environment.ts";
import { type CliConfig, readCliConfig } from "../config.ts";
import { recount } from "./recount.ts";

/**
 * The command `verify`: one line to `out` for each counter that is wrong, and a last one that counts.
 * @returns the exit code: 0 when every counter is right, else 1.
 */
export async function runVerify(
  out: { write(text: string): unknown },
  err: { write(text: string): unknown },
): Promise<number> {
  try {
    const { profiles, statuses, drifts } = await recountAt(readCliConfig(), (drift) => out.write(`${lineOf(drift)}\n`));
    out.write(`${profiles} profiles and ${statuses} statuses recounted, ${drifts} drifts\n`);
    return drifts === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ConnectError || error instanceof ConfigurationError)) throw error;
    err.write(`${error.message}\n`);
    return 1;
  }
}

async function recountAt(config: CliConfig, report: (drift: Drift) => void) {
  const { socialUrl: baseUrl, serviceTokens } = config;
  const social = createServiceTransport({ baseUrl, caller: "cli", serviceToken: serviceTokens[0], deadlineMs: 60_000 });
  try {
    return await recount(createClient(VerifyService, social.transport), report);
  } finally {
    social.close();
  }
}

function lineOf({ userId, statusId, field, stored, counted }: Drift): string {
  const whose = statusId === 0n ? `user ${userId}` : `status ${statusId} of user ${userId}`;
  return `${whose}: ${field} is ${stored}, counted ${counted}`;
}
