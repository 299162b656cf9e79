import { createClient } from "@connectrpc/connect";
import { AccountService } from "../../proto/gen/account/v1/account_service_pb.ts";
import { ImportService } from "../../proto/gen/social/v1/import_service_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import type { CliConfig } from "../config.ts";
import type { OperatorClients } from "./context.ts";

/** Clients of the running services, and the way to let go of their connections. */
export function connectServices(config: CliConfig): { clients: OperatorClients; close(): void } {
  const common = { caller: "cli", serviceToken: config.serviceTokens[0], deadlineMs };
  const account = createServiceTransport({ baseUrl: config.accountUrl, ...common });
  const social = createServiceTransport({ baseUrl: config.socialUrl, ...common });
  return {
    clients: {
      account: createClient(AccountService, account.transport),
      imports: createClient(ImportService, social.transport),
      social: createClient(SocialService, social.transport),
    },
    close() {
      account.close();
      social.close();
    },
  };
}

// A batch may take a while: it gets as long as the services let a call take.
const deadlineMs = 60_000;
