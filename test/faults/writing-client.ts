import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { repeatCalls } from "../../cli/call.ts";
import { VerifyService } from "../../proto/gen/social/v1/verify_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { createGraph, createProfiles, createStatuses } from "../support/by-id.ts";
import { actingTransport } from "../support/services.ts";
import { createAsker } from "./ask.ts";
import type { Entry, Write } from "./ledger.ts";
import type { Rig } from "./rig.ts";
import type { Tally } from "./tally.ts";

type Written = Pick<Entry, "outcome" | "id">;

export type WritingClient = ReturnType<typeof createWritingClient>;

/** A client of the gateway and of the social service that keeps a ledger of its writes and counts its failures. */
export function createWritingClient(rig: Pick<Rig, "gateway" | "social" | "ledger">, tally: Tally) {
  const { ledger } = rig;
  const ask = createAsker(rig.gateway);
  const service = createServiceTransport({ baseUrl: rig.social, caller: "faults", deadlineMs: 10_000 });
  const transport = actingTransport(service.transport);
  const profiles = createProfiles(transport);
  const statuses = createStatuses(transport);
  const graph = createGraph(transport);

  async function call(write: Exclude<Write, { kind: "register" }>, requestId: string): Promise<string | undefined> {
    const userId = BigInt(write.user);
    switch (write.kind) {
      case "publish": {
        const { status } = await statuses.publishStatus({ requestId, authorId: userId, text: write.text });
        return String(status?.id);
      }
      case "delete":
        await statuses.deleteStatus({ requestId, authorId: userId, id: BigInt(write.id) });
        return undefined;
      case "describe": {
        const profile = { description: write.description };
        await profiles.updateProfile({ requestId, userId, profile, updateMask: { paths: ["description"] } });
        return undefined;
      }
      case "follow":
      case "unfollow":
        await graph[write.kind]({ requestId, followerId: userId, userId: BigInt(write.other) });
        return undefined;
      default: {
        const status = { authorId: BigInt(write.author), id: BigInt(write.id) };
        const answer = await statuses[write.kind]({ requestId, userId, status });
        return "status" in answer ? String(answer.status?.id) : undefined;
      }
    }
  }

  /** One attempt. Refused means that repeating it would not help. */
  async function attempt(write: Write, requestId: string, isFirst: boolean): Promise<Written> {
    if (write.kind === "register") return register(write.userName, isFirst);
    const note = tally.begin("rpc");
    try {
      const id = await call(write, requestId);
      note("Ok");
      return { outcome: "acknowledged", id };
    } catch (error) {
      const { code } = ConnectError.from(error);
      // Its status was deleted in the meantime.
      if (code === Code.NotFound && "author" in write) return { outcome: "refused" };
      note(Code[code] ?? "none");
      return { outcome: "unknown" };
    }
  }

  async function register(userName: string, isFirst: boolean): Promise<Written> {
    const note = tally.begin("public");
    const { status, body } = await ask.post("/register", { userName, password: "correct horse" });
    // An earlier attempt succeeded, and its answer was lost.
    if (status === 400 && !isFirst && body.includes("AlreadyExists")) return { outcome: "acknowledged" };
    note(status === 0 ? "broken" : String(status));
    if (status !== 200) return { outcome: "unknown" };
    return { outcome: "acknowledged", id: (JSON.parse(body) as { userId: string }).userId };
  }

  return {
    ask,
    verify: createClient(VerifyService, repeatCalls(transport)),
    async get(path: string) {
      const note = tally.begin("public");
      const reply = await ask.get(path);
      note(reply.status === 0 ? "broken" : String(reply.status));
      return reply;
    },
    /**
     * Makes a write, and repeats it under its request id until it is acknowledged. After `timeoutMs` its outcome stays unknown; 0
     * means one attempt.
     */
    async write(write: Write, timeoutMs: number): Promise<Written> {
      const requestId = randomUUID();
      const note = ledger.begin(write);
      const end = performance.now() + timeoutMs;
      for (let tries = 1; ; tries++) {
        const isFirst = tries === 1;
        const written = await attempt(write, requestId, isFirst);
        if (written.outcome === "acknowledged") note("acknowledged", written.id);
        // What was refused after an unknown attempt may have been done by that one.
        else if (written.outcome === "refused" && isFirst) note("refused");
        if (written.outcome !== "unknown" || performance.now() >= end) return written;
        await sleep((0.5 + Math.random()) * Math.min(100 * tries, 500));
      }
    },
    close() {
      ask.close();
      service.close();
    },
  };
}
