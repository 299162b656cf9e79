import http from "node:http";
import { decoded } from "../support/decoded.ts";
import { sendHttp } from "../support/http.ts";
import type { FuzzCase, FuzzReply } from "./fuzz-case.ts";

/** Resolves to the whole reply. Rejects when there is none, or when it breaks off. */
export type SendCase = (asked: FuzzCase) => Promise<FuzzReply>;

/**
 * Runs `work` with keep-alive connections to a server.
 * @param deadlineMs milliseconds without a byte after which the server counts as hanging: with many requests under way a slow machine
 * needs seconds
 */
export async function whileSending(
  { url, deadlineMs = 15_000 }: { url: string; deadlineMs?: number },
  work: (send: SendCase) => Promise<void>,
): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
  const send: SendCase = async ({ method, target, headers, body, chunked }) => {
    const length = chunked ? ["transfer-encoding", "chunked"] : ["content-length", `${body.length}`];
    // Node sends a flat list unchanged, and adds only Connection.
    const list = ["host", new URL(url).host, ...headers.flat(), ...length] as unknown as http.OutgoingHttpHeaders;
    const options = { agent, method, path: target, headers: list, body, timeout: deadlineMs };
    const reply = await sendHttp(url, options).catch(({ message }: Error) => {
      throw new Error(`no reply: ${message}`);
    });
    const received = Object.entries(reply.headers).map(([name, value]) => [name, value?.toString()]);
    return {
      status: reply.status,
      headers: Object.fromEntries(received) as FuzzReply["headers"],
      body: decoded(reply.body, reply.headers["content-encoding"]),
    };
  };
  await work(send).finally(() => agent.destroy());
}
