import { fileURLToPath } from "node:url";
import { PeopleService } from "../../proto/gen/account/people/v1/people_service_pb.ts";
import { AccountService } from "../../proto/gen/account/v1/account_service_pb.ts";
import { OperatorService } from "../../proto/gen/account/v1/operator_service_pb.ts";
import { SessionService } from "../../proto/gen/account/v1/session_service_pb.ts";
import { serveRpc } from "../platform/connect/server.ts";
import type { Announcer } from "../platform/freshness/announcer.ts";
import type { Running } from "../platform/lifecycle.ts";
import type { Log } from "../platform/log.ts";
import { serveAdmin } from "../platform/metrics/admin-server.ts";
import { measureServed } from "../platform/metrics/rpc-metrics.ts";
import { migrate } from "../platform/postgres/migrate.ts";
import { createDatabaseProbe } from "../platform/postgres/probe.ts";
import { traceServed } from "../platform/tracing/trace-rpcs.ts";
import { startTracing } from "../platform/tracing/tracing.ts";
import type { AccountConfig } from "./config.ts";
import { createContext } from "./context.ts";
import { startOutbox } from "./jobs/outbox.ts";
import { measureContext } from "./metrics.ts";
import { changePassword } from "./rpc/change-password.ts";
import { claimAccount } from "./rpc/claim-account.ts";
import { claimAccounts } from "./rpc/claim-accounts.ts";
import { deleteAccount } from "./rpc/delete-account.ts";
import { getAccount } from "./rpc/get-account.ts";
import { getDeletion } from "./rpc/get-deletion.ts";
import { getSession } from "./rpc/get-session.ts";
import { listSessionTokens } from "./rpc/list-session-tokens.ts";
import { listSessions } from "./rpc/list-sessions.ts";
import { endSessions } from "./rpc/operator/end-sessions.ts";
import { findAccount } from "./rpc/operator/find-account.ts";
import { listInvitations } from "./rpc/operator/list-invitations.ts";
import { makeInvitation } from "./rpc/operator/make-invitation.ts";
import { resetPassword } from "./rpc/operator/reset-password.ts";
import { revokeInvitation } from "./rpc/operator/revoke-invitation.ts";
import { authenticate } from "./rpc/people/authenticate.ts";
import { changePassword as changeOwnPassword } from "./rpc/people/change-password.ts";
import { deleteAccount as deleteOwnAccount } from "./rpc/people/delete-account.ts";
import { sessions } from "./rpc/people/sessions.ts";
import { registration } from "./rpc/registration.ts";
import { signIn } from "./rpc/sign-in.ts";
import { signOut } from "./rpc/sign-out.ts";

/**
 * Starts the account service: schema first, then the outbox, then the port.
 * @param alter gives a broken announcer, by which tests try their checks
 */
export async function startAccount(
  config: AccountConfig,
  log: Log,
  alter?: (sound: Announcer) => Announcer,
): Promise<Running> {
  await migrate(config.databaseUrl, "account", fileURLToPath(new URL("migrations", import.meta.url)), log);
  const ctx = await createContext(config, log, alter);
  // No session is ended of which others do not know where it is announced.
  await ctx.announcer.ready;
  const { registry } = ctx.metrics;
  measureContext(ctx);
  const outbox = await startOutbox(ctx);
  const database = createDatabaseProbe(config.databaseUrl, "roost-account-health", log);
  const tracing = await startTracing("account", config, log);
  const interceptors = [measureServed(registry), ...(tracing ? [traceServed(tracing)] : [])];
  const server = await serveRpc({ ...config, log, isReady: database.isAnswering, interceptors }, (router) => {
    router.service(AccountService, {
      registration: (request, call) => registration(ctx, request, call),
      claimAccounts: (request) => claimAccounts(ctx, request),
      claimAccount: (request, call) => claimAccount(ctx, request, call),
      getAccount: (request) => getAccount(ctx, request),
      changePassword: (request, call) => changePassword(ctx, request, call),
      deleteAccount: (request) => deleteAccount(ctx, request),
      getDeletion: (request) => getDeletion(ctx, request),
    });
    router.service(OperatorService, {
      findAccount: (request) => findAccount(ctx, request),
      resetPassword: (request, call) => resetPassword(ctx, request, call),
      endSessions: (request) => endSessions(ctx, request),
      makeInvitation: (request) => makeInvitation(ctx, request),
      listInvitations: () => listInvitations(ctx),
      revokeInvitation: (request) => revokeInvitation(ctx, request),
    });
    router.service(PeopleService, {
      authenticate: (request, call) => authenticate(ctx, request, call),
      changePassword: (request, call) => changeOwnPassword(ctx, request, call),
      sessions: (request) => sessions(ctx, request),
      deleteAccount: (request, call) => deleteOwnAccount(ctx, request, call),
    });
    router.service(SessionService, {
      getSession: (request) => getSession(ctx, request),
      signIn: (request, call) => signIn(ctx, request, call),
      signOut: (request) => signOut(ctx, request),
      listSessions: (request) => listSessions(ctx, request),
      listSessionTokens: (request) => listSessionTokens(ctx, request),
    });
  });
  const admin = await serveAdmin(config, registry, log);
  return {
    url: server.url,
    async close() {
      await server.close();
      await admin.close();
      await tracing?.close();
      await database.close();
      await outbox.stop();
      await ctx.close();
    },
  };
}
