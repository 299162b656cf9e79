import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export const root = join(import.meta.dirname, "../..");

/** The fields of a service in docker-compose.yml that the tests use. */
export interface ComposeService {
  image: string;
  user?: string;
  entrypoint?: string[];
  command: string[];
  environment?: Record<string, string | number | null>;
  networks?: string[];
  network_mode?: string;
  ports?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  restart: string;
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  pids_limit: number;
  mem_limit: string;
  cpus: number;
}

/** docker-compose.yml with all variables at their defaults. */
export function readComposeFile(): { services: Record<string, ComposeService> } {
  const text = readFileSync(join(root, "docker-compose.yml"), "utf8");
  const filled = text.replace(/\$\{\w+:-([^}]*)\}/g, (_, fallback: string) => fallback).replaceAll("$$", "$");
  return parse(filled, { merge: true });
}

/** The folders and files that the image's last stage copies from the repository. */
export function copiedIntoImage(): string[] {
  const stages = readFileSync(join(root, "Dockerfile"), "utf8").split(/^FROM .*$/m);
  return [...(stages.at(-1) ?? "").matchAll(/^COPY (?!--)(\S+) (\S+)$/gm)].map(([, from]) => from as string);
}
