import http from "node:http";
import type { History, Sight } from "./history.ts";

/** What one read saw, and which writes it may have seen. */
export interface Reading {
  user: string;
  history: History;
  sight: Sight;
  from: number;
  to: number;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });

/** Lets go of idle connections. */
export function endReads(): void {
  agent.destroy();
}

/** Reads a user by the newest page of the timeline, or by a lookup. Throws when the reply is none that a user may get. */
export async function read(gateway: string, user: string, history: History, byLookup: boolean): Promise<Reading> {
  const from = history.acknowledged;
  const { status, body } = await get(`${gateway}/social/${user}${byLookup ? "" : "/timelines?take=1"}`);
  const to = history.begun;
  return { user, history, sight: byLookup ? lookupSight(status, body) : timelineSight(status, body), from, to };
}

interface Profile {
  description: string;
  protected: boolean;
  statuses_count: number;
  status?: { id: number };
}

/** How a state is seen by somebody who may not read it. */
export const closed: Sight = "protected";

/** A state in one word. */
export function sightOf(newest: bigint | number | undefined, description: string, statuses: number): Sight {
  return `${newest ?? "none"} ${description} ${statuses}`;
}

function timelineSight(status: number, body: string): Sight {
  if (status === 401) return closed;
  const { results } = parse(status, body) as { results: { id: number; user: Profile }[] };
  const [newest] = results;
  if (newest === undefined) throw new Error("every user has a status");
  return sightOf(newest.id, newest.user.description, newest.user.statuses_count);
}

function lookupSight(status: number, body: string): Sight {
  const { results } = parse(status, body) as { results: Profile[] };
  const [profile] = results;
  if (profile === undefined) return "unknown";
  if (profile.protected) return closed;
  return sightOf(profile.status?.id, profile.description, profile.statuses_count);
}

function parse(status: number, body: string): unknown {
  if (status !== 200) throw new Error(`${status} ${body}`);
  return JSON.parse(body);
}

function get(url: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, timeout: 30_000 }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    request.on("timeout", () => request.destroy(new Error("no reply within 30 s")));
    request.on("error", reject);
  });
}
