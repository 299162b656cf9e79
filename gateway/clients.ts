import { createClient, type Interceptor } from "@connectrpc/connect";
import { PeopleService as AccountPeopleService } from "../proto/gen/account/people/v1/people_service_pb.ts";
import { AccountService } from "../proto/gen/account/v1/account_service_pb.ts";
import { SessionService } from "../proto/gen/account/v1/session_service_pb.ts";
import { Health } from "../proto/gen/grpc/health/v1/health_pb.ts";
import { PeopleService } from "../proto/gen/social/people/v1/people_service_pb.ts";
import { SocialService } from "../proto/gen/social/v1/social_service_pb.ts";
import { VersionService } from "../proto/gen/social/v1/version_service_pb.ts";
import { WatchService } from "../proto/gen/social/v1/watch_service_pb.ts";
import { createServiceTransport, type ServiceTransport } from "../services/platform/connect/client.ts";
import type { GatewayConfig } from "./config.ts";
import type { Dependency } from "./health/readiness.ts";
import type { LiveServices } from "./live/streams.ts";
import type { PublicService, ServiceTransports } from "./operations/operation-table.ts";
import type { ReadServices } from "./reads/reads.ts";

/** The services behind the gateway, with a way to close their connections. */
export interface ServiceClients extends ReadServices, LiveServices {
  services: readonly PublicService[];
  /** The services that have to be healthy for requests to succeed. */
  dependencies: readonly Dependency[];
  close(): void;
}

/** Clients of the services that the configuration names. They connect at the first call, so processes may start in any order. */
export function createServiceClients(config: GatewayConfig, ...interceptors: Interceptor[]): ServiceClients {
  const common = {
    caller: "gateway",
    serviceToken: config.serviceTokens[0],
    deadlineMs: config.serviceTimeoutMs,
    interceptors,
  };
  const opened: ServiceTransport[] = [];
  const connect = (baseUrl: string) => {
    const connected = createServiceTransport({ baseUrl, ...common });
    opened.push(connected);
    return connected.transport;
  };
  const connectFor = (url: string) => ({ transport: connect(url), reads: connect(url), writes: connect(url) });
  // Connections of their own for what every request needs: it would wait behind slow calls, such as a thousand sign-ins.
  const [sessions, versions] = [connect(config.accountUrl), connect(config.socialUrl)];
  return {
    services: publicServices(config, connectFor(config.accountUrl), connectFor(config.socialUrl)),
    sessions: createClient(SessionService, sessions),
    versions: createClient(VersionService, versions),
    // Polls of many streams would delay other reads.
    watch: createClient(WatchService, connect(config.socialUrl)),
    dependencies: [
      { name: "account", health: createClient(Health, sessions) },
      { name: "social", health: createClient(Health, versions) },
    ],
    close() {
      for (const transport of opened) transport.close();
    },
  };
}

/** The services with public operations, those of the interface document first. */
export function publicServices(
  { publicOperations }: Pick<GatewayConfig, "publicOperations">,
  account: ServiceTransports,
  social: ServiceTransports,
): PublicService[] {
  const ofInterface = [
    { service: AccountService, ...account },
    { service: SocialService, ...social },
  ];
  if (publicOperations === "interface") return ofInterface;
  return [...ofInterface, { service: AccountPeopleService, ...account }, { service: PeopleService, ...social }];
}
