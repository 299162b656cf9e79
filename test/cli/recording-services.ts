import { createClient, createRouterTransport } from "@connectrpc/connect";
import { repeatCalls } from "../../cli/call.ts";
import type { ImportClients } from "../../cli/import/services.ts";
import {
  type AccountClaim,
  AccountService,
  type ClaimAccountsRequest,
} from "../../proto/gen/account/v1/account_service_pb.ts";
import {
  type ImportedProfile,
  type ImportedStatus,
  ImportOutcome,
  type ImportProfilesRequest,
  ImportService,
  type ImportStatusesRequest,
} from "../../proto/gen/social/v1/import_service_pb.ts";
import { valuesOf } from "../support/people.ts";

/** A received call. */
type Call =
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
  const receive = (call: Call) => {
    answers.before?.(call.method, ++nth);
    calls.push(call);
  };
  const transport = createRouterTransport(({ service }) => {
    service(AccountService, {
      claimAccounts(request) {
        receive({ method: "ClaimAccounts", request });
        const resultOf = (claim: AccountClaim) => {
          const refusal = answers.claim?.(claim);
          return refusal === undefined ? { userId: userIdOf(claim.originId) } : { refusal };
        };
        return { results: request.claims.map(resultOf) };
      },
    });
    service(ImportService, {
      importProfiles(request) {
        receive({ method: "ImportProfiles", request });
        return { results: request.profiles.map((profile) => importResult(answers.profile?.(profile))) };
      },
      importStatuses(request) {
        receive({ method: "ImportStatuses", request });
        return { results: request.statuses.map((status) => importResult(answers.status?.(status))) };
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
    userIds: () => valuesOf(profiles(), "originId"),
    statusIds: () => valuesOf(statuses(), "originId"),
  };
}

/** The user id that the fake account service gives: differs from the id at the origin. */
export function userIdOf(originId: string): bigint {
  return 7_000_000n + BigInt(originId);
}

function importResult(answer: ImportOutcome | string = ImportOutcome.ADDED) {
  return typeof answer === "string" ? { outcome: ImportOutcome.REFUSED, refusal: answer } : { outcome: answer };
}
