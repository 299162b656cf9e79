import type { ConnectRouter } from "@connectrpc/connect";
import { PeopleService } from "../../proto/gen/account/people/v1/people_service_pb.ts";
import { AccountService } from "../../proto/gen/account/v1/account_service_pb.ts";
import { OperatorService } from "../../proto/gen/account/v1/operator_service_pb.ts";
import { SessionService } from "../../proto/gen/account/v1/session_service_pb.ts";
import { VerifyService } from "../../proto/gen/account/v1/verify_service_pb.ts";
import type { AccountContext } from "./context.ts";
import { deleteAccount, deleteOwnAccount, getAccount, getDeletion } from "./rpc/accounts.ts";
import { claimAccount, claimAccounts } from "./rpc/claims.ts";
import {
  endSessions,
  findAccount,
  listInvitations,
  makeInvitation,
  resetPassword,
  revokeInvitation,
  searchAccounts,
} from "./rpc/operator.ts";
import { changePassword } from "./rpc/passwords.ts";
import { registration } from "./rpc/registration.ts";
import { authenticate, findSessionUsers, sessions } from "./rpc/sessions.ts";
import { listAccounts, queueMissing } from "./rpc/verify.ts";

/** Every RPC of the account service. */
export function addRoutes(router: ConnectRouter, ctx: AccountContext): void {
  router.service(AccountService, {
    registration: (request, call) => registration(ctx, request, call),
    claimAccounts: (request) => claimAccounts(ctx, request),
    claimAccount: (request, call) => claimAccount(ctx, request, call),
    getAccount: (request) => getAccount(ctx, request),
    deleteAccount: (request) => deleteAccount(ctx, request),
    getDeletion: (request) => getDeletion(ctx, request),
  });
  router.service(OperatorService, {
    findAccount: (request) => findAccount(ctx, request),
    searchAccounts: (request) => searchAccounts(ctx, request),
    resetPassword: (request, call) => resetPassword(ctx, request, call),
    endSessions: (request) => endSessions(ctx, request),
    makeInvitation: (request) => makeInvitation(ctx, request),
    listInvitations: () => listInvitations(ctx),
    revokeInvitation: (request) => revokeInvitation(ctx, request),
  });
  router.service(PeopleService, {
    authenticate: (request, call) => authenticate(ctx, request, call),
    changePassword: (request, call) => changePassword(ctx, request, call),
    sessions: (request) => sessions(ctx, request),
    deleteAccount: (request, call) => deleteOwnAccount(ctx, request, call),
  });
  router.service(SessionService, {
    findSessionUsers: (request) => findSessionUsers(ctx, request),
  });
  router.service(VerifyService, {
    listAccounts: (request) => listAccounts(ctx, request),
    queueMissing: (request) => queueMissing(ctx, request),
  });
}
