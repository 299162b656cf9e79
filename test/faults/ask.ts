import http from "node:http";
import { sendHttp } from "../support/http.ts";

/** A reply of the gateway; status 0: the connection broke before there was one. */
export interface Reply {
  status: number;
  body: string;
}

export interface Asker {
  get(path: string): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
  close(): void;
}

/** A plain client of a gateway with keep-alive. It waits for up to 30 s and never rejects. */
export function createAsker(gateway: string): Asker {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const send = async (method: string, path: string, body?: string): Promise<Reply> => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const reply = sendHttp(gateway, { method, path, agent, headers, body, timeout: 30_000 });
    return reply.then(
      ({ status, body }) => ({ status, body: body.toString() }),
      () => ({ status: 0, body: "" }),
    );
  };
  return {
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, JSON.stringify(body)),
    close: () => agent.destroy(),
  };
}
