import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { shortBodyBytes } from "../limits/limits.ts";

/** Whether a request is a POST with a short Content-Length and without a coding. */
export function isShortPost({ method, headers }: IncomingMessage): boolean {
  return (
    method === "POST" &&
    Number(headers["content-length"] ?? shortBodyBytes + 1) <= shortBodyBytes &&
    headers["transfer-encoding"] === undefined &&
    headers["content-encoding"] === undefined
  );
}

/** A body with its content type: requests with equal texts have equal bodies. */
export function typedBody({ "content-type": type = "" }: IncomingHttpHeaders, body: Buffer): string {
  return `${type}\n${body.toString("latin1")}`;
}
