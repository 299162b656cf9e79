import type { ConnectRouter } from "@connectrpc/connect";
import { PeopleService } from "../../proto/gen/account/people/v1/people_service_pb.ts";
import { AccountService } from "../../proto/gen/account/v1/account_service_pb.ts";
import { OperatorService } from "../../proto/gen/account/v1/operator_service_pb.ts";
import { SessionService } from "../../proto/gen/account/v1/session_service_pb.ts";
import { VerifyService } from "../../proto/gen/account/v1/verify_service_pb.ts";
import type { AccountContext } from "./context.ts";
import { changePassword } from "./rpc/change-password.ts";
import { claimAccount } from "./rpc/claim-account.ts";
import { claimAccounts } from "./rpc/claim-accounts.ts";
import { deleteAccount } from "./rpc/delete-account.ts";
import { findSessionUsers } from "./rpc/find-session-users.ts";
import { getAccount } from "./rpc/get-account.ts";
import { getDeletion } from "./rpc/get-deletion.ts";
import { listSessions } from "./rpc/list-sessions.ts";
import { endSessions } from "./rpc/operator/end-sessions.ts";
import { findAccount } from "./rpc/operator/find-account.ts";
import { listInvitations } from "./rpc/operator/list-invitations.ts";
import { makeInvitation } from "./rpc/operator/make-invitation.ts";
import { resetPassword } from "./rpc/operator/reset-password.ts";
import { revokeInvitation } from "./rpc/operator/revoke-invitation.ts";
import { searchAccounts } from "./rpc/operator/search-accounts.ts";
import { authenticate } from "./rpc/people/authenticate.ts";
import { changeOwnPassword } from "./rpc/people/change-password.ts";
import { deleteOwnAccount } from "./rpc/people/delete-account.ts";
import { sessions } from "./rpc/people/sessions.ts";
import { registration } from "./rpc/registration.ts";
import { signIn } from "./rpc/sign-in.ts";
import { signOut } from "./rpc/sign-out.ts";
import { listAccounts } from "./rpc/verify/list-accounts.ts";
import { queueMissing } from "./rpc/verify/queue-missing.ts";

/** Every RPC of the account service, and the file of the function that serves it. */
export function addRoutes(router: ConnectRouter, ctx: AccountContext): void {
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
    searchAccounts: (request) => searchAccounts(ctx, request),
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
    findSessionUsers: (request) => findSessionUsers(ctx, request),
    signIn: (request, call) => signIn(ctx, request, call),
    signOut: (request) => signOut(ctx, request),
    listSessions: (request) => listSessions(ctx, request),
  });
  router.service(VerifyService, {
    listAccounts: (request) => listAccounts(ctx, request),
    queueMissing: (request) => queueMissing(ctx, request),
  });
}
