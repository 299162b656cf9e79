import { Agent, request } from "node:http";

const agent = new Agent({ keepAlive: true });

/** A GET, or a POST of a body, with the reply as it is on the wire: raw headers, and a body that is not decompressed. */
export function sendRequest(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<{ status: number; headers: string[]; body: Buffer }> {
  return new Promise((resolve, reject) => {
    // The path unchanged: a URL object would normalize it.
    const { hostname, port } = new URL(url);
    const method = body === undefined ? "GET" : "POST";
    const call = request({ agent, hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.rawHeaders, body: Buffer.concat(chunks) }),
      );
    });
    call.on("error", reject).end(body);
  });
}
