import type { Reporter } from "../reporter.ts";
import type { ImportResults } from "./results.ts";
import type { ImportClients } from "./services.ts";
import type { StatusSpool } from "./status-spool.ts";

/** What the steps of one import share. */
export interface ImportContext {
  clients: ImportClients;
  results: ImportResults;
  report: Reporter;
  spool: StatusSpool;
  /** The system that gave the ids, as the services store it. */
  origin: string;
}
