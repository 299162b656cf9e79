import { type Client, createClient } from "@connectrpc/connect";
import { PeopleService } from "../../proto/gen/account/people/v1/people_service_pb.ts";
import { AccountService } from "../../proto/gen/account/v1/account_service_pb.ts";
import { OperatorService } from "../../proto/gen/account/v1/operator_service_pb.ts";
import { VerifyService as AccountVerifyService } from "../../proto/gen/account/v1/verify_service_pb.ts";
import { Health } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { ImportService } from "../../proto/gen/social/v1/import_service_pb.ts";
import { ModerationService } from "../../proto/gen/social/v1/moderation_service_pb.ts";
import { ProfileService } from "../../proto/gen/social/v1/profile_service_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { VerifyService } from "../../proto/gen/social/v1/verify_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { repeatCalls } from "../call.ts";
import type { CliConfig } from "../config.ts";

/** The services that an import of files calls. */
export interface ImportClients {
  account: Client<typeof AccountService>;
  imports: Client<typeof ImportService>;
}

/** The services that the tool calls. */
export interface Clients extends ImportClients {
  social: Client<typeof SocialService>;
  verify: Client<typeof VerifyService>;
  accountVerify: Client<typeof AccountVerifyService>;
  operator: Client<typeof OperatorService>;
  people: Client<typeof PeopleService>;
  profiles: Client<typeof ProfileService>;
  moderation: Client<typeof ModerationService>;
  health: { account: Client<typeof Health>; social: Client<typeof Health> };
}

/** Clients of the running services, and a function that closes their connections. */
export function connectServices(config: CliConfig): { clients: Clients; close(): void } {
  const common = { caller: "cli", serviceToken: config.serviceTokens[0], deadlineMs };
  const account = createServiceTransport({ baseUrl: config.accountUrl, ...common });
  const social = createServiceTransport({ baseUrl: config.socialUrl, ...common });
  const [accounts, socials] = [repeatCalls(account.transport), repeatCalls(social.transport)];
  return {
    clients: {
      account: createClient(AccountService, accounts),
      imports: createClient(ImportService, socials),
      social: createClient(SocialService, socials),
      verify: createClient(VerifyService, socials),
      accountVerify: createClient(AccountVerifyService, accounts),
      operator: createClient(OperatorService, accounts),
      people: createClient(PeopleService, accounts),
      profiles: createClient(ProfileService, socials),
      moderation: createClient(ModerationService, socials),
      health: { account: createClient(Health, account.transport), social: createClient(Health, social.transport) },
    },
    close() {
      account.close();
      social.close();
    },
  };
}

// Milliseconds of a call: the most that the services allow, since a batch may take long.
const deadlineMs = 60_000;
