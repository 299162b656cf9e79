import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { shortBodyBytes } from "../limits/limits.ts";

/** Whether a request is a POST whose body is short, as its length says, and comes as it is. */
export function isShortPost({ method, headers }: IncomingMessage): boolean {
  return (
    method === "POST" &&
    Number(headers["content-length"] ?? shortBodyBytes + 1) <= shortBodyBytes &&
    headers["transfer-encoding"] === undefined &&
    headers["content-encoding"] === undefined
  );
}

/** A body with what says how it is read: equal texts, equal bodies. */
export function typedBody({ "content-type": type = "" }: IncomingHttpHeaders, body: Buffer): string {
  return `${type}\n${body.toString("latin1")}`;
}
