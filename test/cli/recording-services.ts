import { create } from "@bufbuild/protobuf";
import { createClient, createRouterTransport } from "@connectrpc/connect";
import { repeatCalls } from "../../cli/call.ts";
import type { ImportClients } from "../../cli/import/services.ts";
import {
  type AccountClaim,
  type AccountClaimResult,
  AccountService,
  type ClaimAccountsRequest,
} from "../../proto/gen/account/v1/account_service_pb.ts";
import {
  type ImportedProfile,
  type ImportedStatus,
  ImportOutcome,
  type ImportProfilesRequest,
  type ImportResult,
  ImportResultSchema,
  ImportService,
  type ImportStatusesRequest,
} from "../../proto/gen/social/v1/import_service_pb.ts";

/** A received call. */
export type Call =
  | { method: "ClaimAccounts"; request: ClaimAccountsRequest }
  | { method: "ImportProfiles"; request: ImportProfilesRequest }
  | { method: "ImportStatuses"; request: ImportStatusesRequest };

export interface Answers {
  /** A refusal for a claim; undefined gives it a user id. */
  claim?(claim: AccountClaim): string | undefined;
  profile?(profile: ImportedProfile): ImportOutcome | string;
  status?(status: ImportedStatus): ImportOutcome | string;
  /** Runs before a call is answered; what it throws is the answer. `nth` counts all calls from 1. */
  before?(method: Call["method"], nth: number): void;
}

/** Services that record their calls and answer as given; by default everything is new. `wait`: between repeated calls. */
export function recordingServices(answers: Answers = {}, wait: (ms: number) => Promise<unknown> = async () => {}) {
  const calls: Call[] = [];
  let nth = 0;
  const transport = createRouterTransport(({ service }) => {
    service(AccountService, {
      claimAccounts(request) {
        answers.before?.("ClaimAccounts", ++nth);
        calls.push({ method: "ClaimAccounts", request });
        return { results: request.claims.map((claim) => claimResult(claim, answers.claim?.(claim))) };
      },
    });
    service(ImportService, {
      importProfiles(request) {
        answers.before?.("ImportProfiles", ++nth);
        calls.push({ method: "ImportProfiles", request });
        return { results: request.profiles.map((profile) => result(answers.profile?.(profile))) };
      },
      importStatuses(request) {
        answers.before?.("ImportStatuses", ++nth);
        calls.push({ method: "ImportStatuses", request });
        return { results: request.statuses.map((status) => result(answers.status?.(status))) };
      },
    });
  });
  const repeating = repeatCalls(transport, wait);
  const clients: ImportClients = {
    account: createClient(AccountService, repeating),
    imports: createClient(ImportService, repeating),
  };
  const profiles = () => calls.flatMap((call) => (call.method === "ImportProfiles" ? call.request.profiles : []));
  const statuses = () => calls.flatMap((call) => (call.method === "ImportStatuses" ? call.request.statuses : []));
  return {
    clients,
    calls,
    claims: () => calls.flatMap((call) => (call.method === "ClaimAccounts" ? call.request.claims : [])),
    profiles,
    statuses,
    /** The ids at the origin, in the order in which they were sent. */
    userIds: () => profiles().map(({ originId }) => originId),
    statusIds: () => statuses().map(({ originId }) => originId),
  };
}

/** The user id that the fake account service gives: differs from the id at the origin. */
export function userIdOf(originId: string): bigint {
  return 7_000_000n + BigInt(originId);
}

function claimResult(claim: AccountClaim, refusal: string | undefined): Pick<AccountClaimResult, "userId" | "refusal"> {
  return refusal === undefined ? { userId: userIdOf(claim.originId), refusal: "" } : { userId: 0n, refusal };
}

function result(answer: ImportOutcome | string = ImportOutcome.ADDED): ImportResult {
  if (typeof answer === "string")
    return create(ImportResultSchema, { outcome: ImportOutcome.REFUSED, refusal: answer });
  return create(ImportResultSchema, { outcome: answer });
}
