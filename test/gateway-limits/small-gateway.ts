import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { killAtExit } from "../../bench/system/kill-at-exit.ts";
import { peakMemory } from "../../bench/system/processes.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { VersionService } from "../../proto/gen/social/v1/version_service_pb.ts";
import { processLimits } from "../../services/local/start-system.ts";
import { launchProcess } from "../support/launch-process.ts";

/** A gateway as it is deployed, with a heap of 256 MiB, and a social service that has long timelines. */
export interface SmallGateway {
  url: string;
  port: number;
  /** The largest resident memory so far, in MB; undefined without /proc. */
  peakMemory(): number | undefined;
  isAlive(): boolean;
  stop(): Promise<void>;
}

export async function startSmallGateway(settings: NodeJS.ProcessEnv = {}): Promise<SmallGateway> {
  const services = http.createServer(connectNodeAdapter({ routes: longTimelines }));
  await once(services.listen(0, "127.0.0.1"), "listening");
  const address = `http://127.0.0.1:${(services.address() as AddressInfo).port}`;
  const gateway = await launchProcess("gateway", {
    ...processLimits,
    ACCOUNT_URL: address,
    SOCIAL_URL: address,
    ...settings,
  });
  killAtExit(() => gateway.signal("SIGKILL"));
  return {
    url: gateway.url,
    port: Number(new URL(gateway.url).port),
    peakMemory: () => peakMemory(gateway.pid),
    isAlive: () => gateway.exitCode() === undefined,
    async stop() {
      await gateway.kill();
      services.closeAllConnections();
      services.close();
    },
  };
}

type Routes = NonNullable<Parameters<typeof connectNodeAdapter>[0]["routes"]>;

/** Every user has 200 statuses of 1.7 KB as JSON, user included: a page of all of them is 340 KB. */
const longTimelines: Routes = (router) => {
  const text = "A status that is as long as most of them are not. ".repeat(24);
  const timeline = ({ screenName, take = 100n }: { screenName: string; take?: bigint }) => ({
    results: Array.from({ length: Number(take) }, (_, index) => ({ id: BigInt(1_000 - index), text })),
    author: { screenName: "ann", name: "Ann" },
    version: `${screenName}.0`,
  });
  router.service(SocialService, {
    socialTimelines: timeline,
    listTimelines: ({ requests }) => ({ results: requests.map((request) => ({ timeline: timeline(request) })) }),
    // Until the caller's deadline.
    socialUsers: () => new Promise(() => {}),
  });
  router.service(VersionService, {
    listVersions: ({ screenNames }) => ({ versions: screenNames.map((name) => `${name}.0`) }),
  });
};
