import { randomUUID } from "node:crypto";
import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import type { Test } from "uvu";
import { repeatCalls } from "../../cli/call.ts";
import { PeopleService as AccountPeopleService } from "../../proto/gen/account/people/v1/people_service_pb.ts";
import { AccountService } from "../../proto/gen/account/v1/account_service_pb.ts";
import { OperatorService } from "../../proto/gen/account/v1/operator_service_pb.ts";
import { SessionService } from "../../proto/gen/account/v1/session_service_pb.ts";
import { VerifyService as AccountVerifyService } from "../../proto/gen/account/v1/verify_service_pb.ts";
import { actor } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { ReadService } from "../../proto/gen/reads/v1/read_service_pb.ts";
import { PeopleService } from "../../proto/gen/social/people/v1/people_service_pb.ts";
import { ImportService } from "../../proto/gen/social/v1/import_service_pb.ts";
import { ModerationService } from "../../proto/gen/social/v1/moderation_service_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { VerifyService } from "../../proto/gen/social/v1/verify_service_pb.ts";
import { VersionService } from "../../proto/gen/social/v1/version_service_pb.ts";
import { WatchService } from "../../proto/gen/social/v1/watch_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { viewerHeader } from "../../services/platform/connect/identity.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { createLog } from "../../services/platform/log.ts";
import { createGraph, createProfiles, createStatuses } from "./by-id.ts";
import { collectLog } from "./collect-log.ts";
import { cheapHashes, launch } from "./launch.ts";
import { freePort } from "./listen.ts";
import { createTestDatabase } from "./postgres.ts";
import { uses } from "./suite.ts";
import type { TestDatabase } from "./test-database.ts";

export type TestServices = Awaited<ReturnType<typeof startTestServices>>;

/** Milliseconds: the longest time that a service allows. On a busy machine calls are slow. */
const deadlineMs = 60_000;

/**
 * The two services in this process, on free ports and with a database of their own.
 * @param given a database to use, when the settings depend on it; it is dropped with the services as well
 */
export async function startTestServices(settings: NodeJS.ProcessEnv = {}, given?: TestDatabase) {
  const database = given ?? (await createTestDatabase());
  const logged: Record<string, unknown>[] = [];
  const log = createLog("test", "debug", collectLog(logged));
  const [accountPort, socialPort] = [await freePort(), await freePort()];
  const env = {
    ACCOUNT_DATABASE_URL: database.account,
    SOCIAL_DATABASE_URL: database.social,
    ACCOUNT_PORT: `${accountPort}`,
    SOCIAL_PORT: `${socialPort}`,
    SOCIAL_URL: `http://127.0.0.1:${socialPort}`,
    // All callers in tests have the same address.
    RATE_LIMITS: "off",
    ...cheapHashes,
    ...settings,
  };
  let social: Running | undefined = await launch("social", env, { log });
  const account = await launch("account", env, { log });
  const { clients, close } = connectClients(account.url, social.url);
  return {
    database,
    accountUrl: account.url,
    socialUrl: social.url,
    /** Every line that the services logged, as objects. */
    logged,
    log,
    clients,
    /** The user of a session; undefined for one that does not stand. */
    async userOf(sessionId: string): Promise<bigint | undefined> {
      const [userId = 0n] = (await clients.sessions.findSessionUsers({ sessionIds: [sessionId] })).userIds;
      return userId === 0n ? undefined : userId;
    },
    async stopSocial() {
      await social?.close();
      social = undefined;
    },
    async startSocial() {
      social = await launch("social", env, { log });
    },
    /** Stops everything and drops the database. */
    async stop() {
      close();
      await account.close();
      await social?.close();
      await database.drop();
    },
  };
}

/** Services of a suite's own, from before its tests until after them. */
export function useServices(tests: Test, settings?: NodeJS.ProcessEnv, services?: TestServices): TestServices {
  return uses(tests, () => startTestServices(settings), services);
}

/** Clients of all services. */
function connectClients(accountUrl: string, socialUrl: string) {
  const toAccount = createServiceTransport({ baseUrl: accountUrl, deadlineMs, caller: "test" });
  const toSocial = createServiceTransport({ baseUrl: socialUrl, deadlineMs, caller: "test" });
  const accounts = actingTransport(toAccount.transport);
  const socials = namingRequests(actingTransport(toSocial.transport));
  return {
    clients: {
      account: createClient(AccountService, accounts),
      sessions: createClient(SessionService, accounts),
      accountPeople: createClient(AccountPeopleService, namingRequests(accounts)),
      operator: createClient(OperatorService, accounts),
      accountVerify: createClient(AccountVerifyService, accounts),
      social: createClient(SocialService, socials),
      /** Those of the social service. */
      reads: createClient(ReadService, socials),
      profiles: createProfiles(socials),
      statuses: createStatuses(socials),
      imports: createClient(ImportService, socials),
      graph: createGraph(socials),
      versions: createClient(VersionService, socials),
      moderation: createClient(ModerationService, socials),
      watch: createClient(WatchService, socials),
      verify: createClient(VerifyService, repeatCalls(socials)),
      people: createClient(PeopleService, socials),
    },
    close() {
      toAccount.close();
      toSocial.close();
    },
  };
}

/** Adds a new request id to every write that has none; a test about request ids sets them itself. */
function namingRequests(transport: Transport): Transport {
  return {
    ...transport,
    // oxlint-disable-next-line max-params -- the signature is that of Connect's Transport
    unary: (method, signal, timeoutMs, header, input, values) => {
      const named = method.input.field.requestId && (input as { requestId?: string }).requestId === undefined;
      const message = named ? { ...input, requestId: randomUUID() } : input;
      return transport.unary(method, signal, timeoutMs, header, message, values);
    },
  };
}

/** Sends the header of the signed-in user with each call whose request names an actor, unless the call has that header. */
export function actingTransport(transport: Transport): Transport {
  return {
    ...transport,
    // oxlint-disable-next-line max-params -- the signature is that of Connect's Transport
    unary(method, signal, timeoutMs, header, input, contextValues) {
      const headers = new Headers(header);
      const acting = actorOf(method, input as Record<string, unknown>);
      if (acting !== undefined && !headers.has(viewerHeader)) headers.set(viewerHeader, acting);
      return transport.unary(method, signal, timeoutMs, headers, input, contextValues);
    },
  };
}

function actorOf({ input }: DescMethod, message: Record<string, unknown>): string | undefined {
  const field = input.fields.find((field) => getOption(field, actor));
  const id = field && message[field.localName];
  return typeof id === "bigint" ? id.toString() : undefined;
}
