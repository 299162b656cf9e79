import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Supervised, supervise } from "../../services/local/supervise.ts";
import { freePort } from "../support/free-port.ts";
import { createTestDatabase, openTestServer } from "../support/postgres.ts";

export interface Replica {
  name: string;
  url: string;
  process: Supervised;
}

/** Two gateways, each with a social service of its own behind it, and one account service: as many machines would run them. */
export interface Replicas {
  gateways: readonly Replica[];
  socials: readonly Replica[];
  /** What supervision said, such as `social-1 ended (0) …`. */
  said: readonly string[];
  stop(): Promise<void>;
}

export async function startReplicas(settings: NodeJS.ProcessEnv): Promise<Replicas> {
  const folder = mkdtempSync(join(tmpdir(), "roost-replicas-"));
  const database = await createTestDatabase(await openTestServer());
  const said: string[] = [];
  const started: Replica[] = [];
  const start = async (name: string, main: string, port: string, environment: NodeJS.ProcessEnv): Promise<Replica> => {
    const common = { PATH: process.env.PATH, LOG_LEVEL: "info", RATE_LIMITS: "off", [port]: `${await freePort()}` };
    const env = { ...common, ...settings, ...environment };
    const say = (line: string) => void said.push(line);
    const running = await supervise({ name, main, environment: env, logs: folder, say });
    const replica = { name, url: running.url, process: running };
    started.push(replica);
    return replica;
  };
  const stop = async () => {
    for (const { process } of started.toReversed()) await process.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  const social = (name: string) =>
    start(name, "services/social/main.ts", "SOCIAL_PORT", { SOCIAL_DATABASE_URL: database.social });
  const gateway = (name: string, accountUrl: string, socialUrl: string) =>
    start(name, "gateway/main.ts", "GATEWAY_PORT", { ACCOUNT_URL: accountUrl, SOCIAL_URL: socialUrl });
  try {
    const socials = [await social("social-0"), await social("social-1")];
    const account = await start("account", "services/account/main.ts", "ACCOUNT_PORT", {
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
