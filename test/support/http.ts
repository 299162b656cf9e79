import http from "node:http";
import { buffer } from "node:stream/consumers";

/** A request as node:http sends it: unlike fetch it has bodies with every verb, and any path. */
export interface HttpRequest {
  /** Of the URL when left out. */
  path?: string;
  method?: string;
  headers?: http.OutgoingHttpHeaders;
  body?: string | Buffer | undefined;
  agent?: http.Agent;
  /** Milliseconds without a byte of the reply after which it is given up; without end by default. */
  timeout?: number;
}

export interface HttpReply {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** Resolves to the whole reply. @throws Error when there is none, or when it breaks off */
export function sendHttp(url: string, { body, ...options }: HttpRequest): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, options, (response) => {
      const { statusCode: status = 0, headers } = response;
      buffer(response).then((bytes) => resolve({ status, headers, body: bytes }), reject);
    });
    request.on("timeout", () => request.destroy(new Error(`no reply within ${options.timeout} ms`)));
    request.on("error", reject).end(body);
  });
}
