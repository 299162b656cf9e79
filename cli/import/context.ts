import type { Client } from "@connectrpc/connect";
import type { AccountService } from "../../proto/gen/account/v1/account_service_pb.ts";
import type { ImportService } from "../../proto/gen/social/v1/import_service_pb.ts";
import type { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import type { Wait } from "../retry.ts";
import type { Ledger } from "./ledger.ts";
import type { ImportReporter } from "./reporter.ts";
import type { StatusSpool } from "./status-spool.ts";

/** What the steps of one import share. */
export interface ImportContext {
  clients: ImportClients;
  ledger: Ledger;
  report: ImportReporter;
  spool: StatusSpool;
  /** Where the ids come from, as the services record it. */
  origin: string;
  wait?: Wait | undefined;
}

export interface ImportClients {
  account: Client<typeof AccountService>;
  imports: Client<typeof ImportService>;
}

/** What imports as a user and exports call besides. */
export interface OperatorClients extends ImportClients {
  social: Client<typeof SocialService>;
}
