import http from "node:http";
import { sendHttp } from "../support/http.ts";

export type Asker = ReturnType<typeof createAsker>;

/** A plain client of a gateway with keep-alive. It waits for up to 30 s and never rejects. */
export function createAsker(gateway: string) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  /** Status 0: the connection broke before there was a reply. */
  const send = (method: string, path: string, body?: string) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    return sendHttp(gateway, { method, path, agent, headers, body, timeout: 30_000 }).then(
      ({ status, body }) => ({ status, body: body.toString() }),
      () => ({ status: 0, body: "" }),
    );
  };
  return {
    get: (path: string) => send("GET", path),
    post: (path: string, body: unknown) => send("POST", path, JSON.stringify(body)),
    close: () => agent.destroy(),
  };
}
