import type { FastifyReply, FastifyRequest } from "fastify";
import { entityTag, hasAlready } from "./entity-tag.ts";

/** Something to send, with its tag: made once, sent often. */
export interface Asset {
  /** Its content type. */
  type: string;
  bytes: Buffer;
  tag: string;
  headers: Readonly<Record<string, string>>;
  /** Whether its address always has the same bytes, so that browsers need not ask for it again for a year. */
  isImmutable?: boolean;
}

/** Makes an asset of a text, or of bytes. */
export function makeAsset(type: string, text: string | Buffer, headers: Asset["headers"] = {}): Asset {
  return { type, bytes: Buffer.from(text as string), tag: entityTag(text), headers };
}

/** Sends an asset, or 304 to a client that has it. Browsers ask each time, so that a new version shows at once, unless it is immutable. */
export function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset, status = 200): FastifyReply {
  const cacheControl = asset.isImmutable ? "public, max-age=31536000, immutable" : "no-cache";
  reply.headers({ ...asset.headers, ETag: asset.tag, "Cache-Control": cacheControl });
  // A cache may use the reply for another origin, and the CORS headers of a reply name the origin.
  if (asset.isImmutable) reply.header("vary", "Origin");
  // Only on assets, which browsers show; a proxy that terminates TLS can add it to every reply.
  if (request.protocol === "https") reply.header("strict-transport-security", "max-age=31536000");
  return status === 200 && hasAlready(request, asset.tag)
    ? reply.code(304).send()
    : reply.code(status).header("Content-Type", asset.type).send(asset.bytes);
}
