import type { Running } from "../../services/platform/lifecycle.ts";
import { createReplyCheck } from "../discovery/reply-schemas.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { launch } from "../support/launch.ts";
import { startTestRedis } from "../support/redis.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

/** A whole system with two gateways, and with a Redis that can be cut off if the machine has one. */
export interface WalkedSystem extends TestSystem {
  /** The addresses of both gateways. */
  gateways: readonly string[];
  redisWire: FaultProxy | undefined;
  /** Throws for a reply that differs from the OpenAPI document. */
  checkReply(path: string, text: string): void;
  /** Whether everything that a deleted user left is deleted. */
  hasLeft(userId: bigint): Promise<boolean>;
}

export async function startWalkedSystem(): Promise<WalkedSystem> {
  const redis = await startTestRedis();
  const redisWire = redis && (await startFaultProxy(redis.port));
  // A long timeout, since a busy machine is slow.
  const settings = {
    SERVICE_TIMEOUT_MS: "60000",
    ...(redisWire && { REDIS_URL: `redis://127.0.0.1:${redisWire.port}` }),
  };
  const system = await startTestSystem(settings);
  const urls = { ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl, RATE_LIMITS: "off" };
  const second: Running = await launch("gateway", { ...urls, ...settings }, system);
  const check = createReplyCheck((await (await fetch(`${system.url}/openapi.json`)).json()) as never);
  return {
    ...system,
    gateways: [system.url, second.url],
    redisWire,
    checkReply(path, text) {
      const fault = check(pathInDocument(path), 200, JSON.parse(text));
      if (fault !== undefined) throw new Error(`the answer of ${path} is not as the document says: ${fault}`);
    },
    async hasLeft(userId) {
      return (await system.clients.account.getDeletion({ userId })).deletion?.complete === true;
    },
    async stop() {
      await second.close();
      await system.stop();
      await redisWire?.close();
      await redis?.stop();
    },
  };
}

/** /social/ann/timelines/5/mark → /social/{ScreenName}/timelines/{Id}/mark */
function pathInDocument(path: string): string {
  return path.replace(/^\/social\/[^/]+/, "/social/{ScreenName}").replace(/timelines\/\d+/, "timelines/{Id}");
}
