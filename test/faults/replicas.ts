import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Supervised } from "../../services/local/supervise.ts";
import { freePort } from "../support/free-port.ts";
import { launchSupervised, type Role } from "../support/launch.ts";
import { createTestDatabase } from "../support/postgres.ts";

export interface Replica {
  name: string;
  url: string;
  process: Supervised;
}

/** Two gateways, each with its own social service, and one account service, as on several machines. */
export interface Replicas {
  gateways: readonly Replica[];
  socials: readonly Replica[];
  /** Messages of the supervisor, such as `social-1 ended (0) …`. */
  said: readonly string[];
  stop(): Promise<void>;
}

export async function startReplicas(settings: NodeJS.ProcessEnv): Promise<Replicas> {
  const folder = mkdtempSync(join(tmpdir(), "roost-replicas-"));
  const database = await createTestDatabase();
  const said: string[] = [];
  const started: Replica[] = [];
  const say = (line: string) => void said.push(line);
  const start = async (role: Role, name: string, environment: NodeJS.ProcessEnv): Promise<Replica> => {
    // A restarted process has the same port.
    const port = { [`${role.toUpperCase()}_PORT`]: `${await freePort()}` };
    const running = await launchSupervised(role, name, { ...port, ...settings, ...environment }, { logs: folder, say });
    const replica = { name, url: running.url, process: running };
    started.push(replica);
    return replica;
  };
  const stop = async () => {
    for (const { process } of started.toReversed()) await process.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  const social = (name: string) => start("social", name, { SOCIAL_DATABASE_URL: database.social });
  const gateway = (name: string, accountUrl: string, socialUrl: string) =>
    start("gateway", name, { ACCOUNT_URL: accountUrl, SOCIAL_URL: socialUrl });
  try {
    const socials = [await social("social-0"), await social("social-1")];
    const account = await start("account", "account", {
      ACCOUNT_DATABASE_URL: database.account,
      SOCIAL_URL: (socials[0] as Replica).url,
    });
    const gateways = await Promise.all(socials.map(({ url }, index) => gateway(`gateway-${index}`, account.url, url)));
    return { gateways, socials, said, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
