import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Databases } from "../services/local/prepare-database.ts";
import type { Datasets } from "./dataset/datasets.ts";
import { type BenchSystem, startSystem } from "./system/start-system.ts";

/** How a row wants the system to be started. */
export interface SystemKind {
  /** Whether it has the authors and statuses of the dataset; without them it is empty, with a Postgres of its own. */
  hasDataset: boolean;
  settings: NodeJS.ProcessEnv;
}

/** A running system, with the URL of the dataset that it shows. */
export type SideSystem = BenchSystem & { databaseUrl?: string };

/** One of the checkouts that a run compares, with its system. */
export class Side {
  readonly label: string;
  readonly root: string;
  readonly #datasets: Datasets;
  readonly #nodeOptions: readonly string[];
  #running: { kind: SystemKind; system: SideSystem } | undefined;

  constructor(label: string, root: string, datasets: Datasets) {
    this.label = label;
    this.root = root;
    this.#datasets = datasets;
    this.#nodeOptions = nodeOptionsOf(root);
  }

  /** The system of this kind. It stays the same for rows that name the same kind one after the other. */
  async system(kind: SystemKind): Promise<SideSystem> {
    if (this.#running?.kind !== kind) {
      await this.stop();
      this.#running = { kind, system: kind.hasDataset ? await this.#startOnDataset(kind) : await this.#start(kind) };
    }
    return this.#running.system;
  }

  async stop(): Promise<void> {
    const { system } = this.#running ?? {};
    this.#running = undefined;
    await system?.stop();
  }

  async #startOnDataset(kind: SystemKind): Promise<SideSystem> {
    const urls = await this.#datasets.databasesOf(this.root, async (empty) => (await this.#start(kind, empty)).stop());
    return { ...(await this.#start(kind, urls)), databaseUrl: urls.social };
  }

  #start({ settings }: SystemKind, urls?: Databases): Promise<BenchSystem> {
    const database = urls && { pid: this.#datasets.postgres.pid, urls };
    return startSystem({ root: this.root, nodeOptions: this.#nodeOptions, settings, ...(database && { database }) });
  }
}

/** This checkout. */
export const ownRoot = join(import.meta.dirname, "..");

/** How `npm start` of a checkout has Node run it; this one is compiled already, or runs like this process. */
function nodeOptionsOf(root: string): readonly string[] {
  if (root === ownRoot) return process.execArgv;
  const compiler = join(root, "compile/main.ts");
  if (!existsSync(compiler)) return ["--import", "tsx"];
  const options = execFileSync(process.execPath, ["--import", "tsx", compiler], { cwd: root, encoding: "utf8" });
  return options.trim().split(" ");
}

/**
 * Unpacks a commit into a folder of its own, until `remove`. It uses the packages that are installed here: both sides run with the
 * same ones, and nothing is downloaded.
 */
export function checkOut(commit: string): { root: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), "roost-against-"));
  const files = execFileSync("git", ["archive", commit], { cwd: ownRoot, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x"], { cwd: root, input: files });
  symlinkSync(join(ownRoot, "node_modules"), join(root, "node_modules"));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
