import http from "node:http";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import {
  type ConnectRouter,
  createClient,
  createRouterTransport,
  type HandlerContext,
  type Interceptor,
  type MethodImpl,
  type ServiceImpl,
} from "@connectrpc/connect";
import type { Test } from "uvu";
import { publicServices, type ServiceClients } from "../../gateway/clients.ts";
import { type GatewayConfig, loadConfig } from "../../gateway/config.ts";
import { startGateway } from "../../gateway/server.ts";
import { PeopleService as AccountPeopleService } from "../../proto/gen/account/people/v1/people_service_pb.ts";
import { AccountService } from "../../proto/gen/account/v1/account_service_pb.ts";
import { SessionService } from "../../proto/gen/account/v1/session_service_pb.ts";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { type ReadManyRequest, ReadService } from "../../proto/gen/reads/v1/read_service_pb.ts";
import { PeopleService } from "../../proto/gen/social/people/v1/people_service_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { VersionService } from "../../proto/gen/social/v1/version_service_pb.ts";
import { WatchService } from "../../proto/gen/social/v1/watch_service_pb.ts";
import { addRoutesWithReads } from "../../services/platform/connect/read-many.ts";
import { createLog } from "../../services/platform/log.ts";
import { collectLog } from "../support/collect-log.ts";
import { type HttpReply, type HttpRequest, sendHttp } from "../support/http.ts";
import { uses } from "../support/suite.ts";

type Fields = Record<string, unknown>;

type Handlers = {
  /** Gives the user of a session; these calls are not recorded. */
  getSession(request: { sessionId: string }): { userId?: bigint } | Promise<{ userId?: bigint }>;
  /** Calls back with the number of reads of each call of ReadMany. */
  readsAsked(count: number): void;
  /** Answers health checks, which are not recorded either. */
  check: () => { status: Status } | Promise<{ status: Status }>;
  /** The answers of operations with an actor, by method name; others answer an empty message. */
  people: Record<string, (request: Fields, context: HandlerContext) => object>;
} & Pick<ServiceImpl<typeof AccountService>, "registration"> &
  ServiceImpl<typeof VersionService> &
  ServiceImpl<typeof SocialService>;

export interface FakeGateway {
  url: string;
  port: number;
  /** The calls of the services, oldest first. */
  calls: { operation: string; request: Fields; header: Headers }[];
  /** The values of a field in these calls. */
  asked(field: string): unknown[];
  /** Every line that the gateway logged, as objects. */
  logged: Fields[];
  /** The answers of the services; tests replace them. */
  answers: Handlers;
  send(request: Asked): Promise<Reply>;
  stop(): Promise<void>;
}

export type Asked = Omit<HttpRequest, "agent"> & { path: string };
export type Reply = Omit<HttpReply, "body"> & { text: string };

/** Starts a gateway on a free port, with fake services in this process. */
export async function startFakeGateway(settings: Partial<GatewayConfig> = {}): Promise<FakeGateway> {
  const calls: FakeGateway["calls"] = [];
  const logged: Fields[] = [];
  const answers: Handlers = {
    registration: () => ({ userId: 1n, sessionId: "s", userName: "ann", responseStatus: {} }),
    getSession: () => ({}),
    check: () => ({ status: Status.SERVING }),
    people: {},
    readsAsked: () => {},
    // Asked for only with a cache; not recorded.
    listVersions: ({ screenNames, viewerIds }) => ({
      versions: screenNames.map(() => "s1.0"),
      viewerVersions: viewerIds.map((id) => `v${id}.0`),
    }),
    listRelationDigests: ({ viewerId }) => ({ viewerVersion: `v${viewerId}.0` }),
    socialUsers: () => ({ results: [] }),
    socialTimelines: () => ({ results: [], version: "s1.0" }),
  };
  // Without a cache every request reaches the services.
  const config = { ...loadConfig({ GATEWAY_PORT: "0", PAGE_CACHE_BYTES: "0" }), ...settings };
  const log = createLog("gateway", "debug", collectLog(logged));
  const running = await startGateway(config, log, fakeClients(config, calls, answers));
  const agent = new http.Agent({ keepAlive: true });
  return {
    url: running.url,
    port: Number(new URL(running.url).port),
    calls,
    asked: (field) => calls.map(({ request }) => request[field]),
    logged,
    answers,
    send: (asked) => send(running.url, agent, asked),
    async stop() {
      await running.close();
      agent.destroy();
    },
  };
}

/** A gateway with fake services for one suite, from before its tests until after them. Each test begins without calls. */
export function useFakeGateway(tests: Test, settings?: Partial<GatewayConfig>, started?: FakeGateway): FakeGateway {
  const gateway = uses(tests, () => startFakeGateway(settings), started);
  tests.before.each(() => {
    gateway.calls.length = 0;
  });
  return gateway;
}

/** A new one for each test of a suite. */
export function useNewFakeGateways(tests: Test, settings?: Partial<GatewayConfig>): FakeGateway {
  const gateway = {} as FakeGateway;
  tests.before.each(async () => void Object.assign(gateway, await startFakeGateway(settings)));
  tests.after.each(() => gateway.stop());
  return gateway;
}

function fakeClients(config: GatewayConfig, calls: FakeGateway["calls"], answers: Handlers): ServiceClients {
  const record = <A extends unknown[], R>(operation: string, answer: (...args: A) => R, ...args: A): R => {
    const [{ $typeName: _, ...request }, { requestHeader }] = args as unknown as [Fields, HandlerContext];
    calls.push({ operation, request, header: requestHeader });
    return answer(...args);
  };
  const addRoutes = (router: ConnectRouter) => {
    router.service(AccountService, {
      registration: (request, context) => record("Registration", answers.registration, request, context),
    });
    router.service(SessionService, {
      async findSessionUsers({ sessionIds }) {
        const find = async (sessionId: string) => (await answers.getSession({ sessionId })).userId ?? 0n;
        return { userIds: await Promise.all(sessionIds.map(find)) };
      },
    });
    for (const service of [AccountPeopleService, PeopleService]) {
      for (const method of service.methods as DescMethodUnary[]) {
        const answer = (request: Fields, context: HandlerContext) =>
          answers.people[method.localName]?.(request, context) ?? {};
        router.rpc(method, ((request, context) => record(method.name, answer, request as never, context)) as MethodImpl<
          typeof method
        >);
      }
    }
    router.service(VersionService, {
      listVersions: (request, context) => answers.listVersions(request, context),
      listRelationDigests: (request, context) => answers.listRelationDigests(request, context),
    });
    router.service(Health, { check: () => answers.check() });
    router.service(SocialService, {
      socialUsers: (request, context) => record("SocialUsers", answers.socialUsers, request, context),
      socialTimelines: (request, context) => record("SocialTimelines", answers.socialTimelines, request, context),
    });
  };
  const count: Interceptor = (next) => (request) => {
    if (request.method === ReadService.method.readMany)
      answers.readsAsked((request.message as ReadManyRequest).reads.length);
    return next(request);
  };
  const transport = createRouterTransport((router) => addRoutesWithReads(router, addRoutes, []), {
    transport: { interceptors: [count] },
  });
  // Two objects, as the real services have: batches wait for their own service only.
  const services = publicServices(config, { transport: { ...transport } }, { transport });
  const [sessions, versions] = [createClient(SessionService, transport), createClient(VersionService, transport)];
  const watch = createClient(WatchService, transport);
  const dependencies = ["account", "social"].map((name) => ({ name, health: createClient(Health, transport) }));
  return { services, sessions, versions, watch, dependencies, close() {} };
}

/** The parts of a reply that are compared. */
export function seen({ status, headers: { date: _, ...headers }, text }: Reply) {
  return { status, headers, text };
}

/** Whether the last request took the fast path: its log line has no reference, unlike the router's. */
export async function wasFast({ logged }: Pick<FakeGateway, "logged">): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return logged.findLast(({ msg }) => msg === "request")?.["reference"] === undefined;
}

async function send(url: string, agent: http.Agent, { headers = {}, ...asked }: Asked): Promise<Reply> {
  const isPlain = asked.body !== undefined && headers["transfer-encoding"] === undefined;
  const length = isPlain ? { "content-length": Buffer.byteLength(asked.body as string) } : {};
  const { body, ...reply } = await sendHttp(url, { ...asked, agent, headers: { ...length, ...headers } });
  return { ...reply, text: body.toString() };
}

/** A registration or sign-in whose service has opened this session, with its attributes. */
export function opensSession(session: string) {
  return (_request: unknown, { responseHeader }: { responseHeader: Headers }) => {
    responseHeader.set("roost-session", session);
    return {};
  };
}
