import http from "node:http";

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
  const send = (method: string, path: string, text = "") =>
    new Promise<Reply>((resolve) => {
      const headers = text === "" ? {} : { "content-type": "application/json" };
      const request = http.request(gateway + path, { method, agent, headers, timeout: 30_000 }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", () => resolve({ status: 0, body: "" }));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
      });
      request.on("timeout", () => request.destroy(new Error("no reply within 30 s")));
      request.on("error", () => resolve({ status: 0, body: "" }));
      request.end(text);
    });
  return {
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, JSON.stringify(body)),
    close: () => agent.destroy(),
  };
}
