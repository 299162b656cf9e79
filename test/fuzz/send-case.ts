import http from "node:http";
import { decoded } from "../support/decoded.ts";
import type { FuzzCase, FuzzReply } from "./fuzz-case.ts";

export interface Sender {
  /** Resolves to the whole reply. Rejects when there is none, when it is truncated, or after the deadline. */
  send(asked: FuzzCase): Promise<FuzzReply>;
  close(): void;
}

/**
 * Sends cases on keep-alive connections.
 * @param deadlineMs milliseconds for a request and its reply; after that the server counts as hanging
 */
export function createSender(url: string, deadlineMs: number): Sender {
  const { hostname, port, host } = new URL(url);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
  return {
    send: (asked) =>
      new Promise((resolve, reject) => {
        const { method, target: path } = asked;
        const request = http.request({ agent, host: hostname, port, method, path, headers: headersOf(asked, host) });
        const timer = setTimeout(() => request.destroy(new Error(`no reply within ${deadlineMs} ms`)), deadlineMs);
        const settle = (outcome: () => void) => {
          clearTimeout(timer);
          outcome();
        };
        request.on("error", (error) => settle(() => reject(new Error(`no reply: ${error.message}`))));
        request.on("response", (response) => {
          readReply(response).then(
            (reply) => settle(() => resolve(reply)),
            (error: unknown) => settle(() => reject(new Error(`the reply broke off: ${String(error)}`))),
          );
        });
        request.end(asked.body);
      }),
    close: () => agent.destroy(),
  };
}

// Node sends a flat list unchanged, and adds only Connection.
function headersOf({ headers, body, chunked }: FuzzCase, host: string): string[] {
  const length = chunked ? ["transfer-encoding", "chunked"] : ["content-length", `${body.length}`];
  return ["host", host, ...headers.flat(), ...length];
}

async function readReply(response: http.IncomingMessage): Promise<FuzzReply> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const encoding = response.headers["content-encoding"];
  const headers = Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]);
  return {
    status: response.statusCode as number,
    headers: Object.fromEntries(headers) as FuzzReply["headers"],
    body: decoded(Buffer.concat(chunks), encoding),
  };
}
