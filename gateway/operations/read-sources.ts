import type { FastifyReply, FastifyRequest } from "fastify";
import type { JsonObject } from "../binding/compile-binder.ts";
import { parseBody } from "../binding/parse-body.ts";
import { unreadable } from "../http/errors/catalog.ts";
import type { LoadShedding } from "../http/load/load-shedding.ts";
import { type Pairs, parsePairs } from "../http/requests/form-pairs.ts";
import { readBody } from "../http/requests/read-body.ts";
import { queryOf } from "../http/requests/request-target.ts";
import type { Operation } from "./operation-table.ts";

/** Where a request's fields come from, beside its path. */
export interface Sources {
  /** The parsed JSON body; undefined when there is none. */
  json: unknown;
  query: Pairs;
  form: Pairs;
}

/** Reads the parts of a request that an operation uses. Checks the size first, then the syntax (contract §2). @throws PublicError */
export async function readSources(
  request: FastifyRequest,
  reply: FastifyReply,
  { wanted }: Operation,
  { bodies }: Pick<LoadShedding, "bodies">,
): Promise<Sources> {
  const bytes = await readBody(request.raw, reply.raw, bodies);
  const body = parseBody(bytes, request.headers, wanted);
  return { ...body, query: parsePairs(queryOf(request.raw.url ?? ""), wanted) };
}

/** A JSON body as the object of one request: no body and null are no fields. @throws SerializationException */
export function requestObject(json: unknown): JsonObject {
  if (json === undefined || json === null) return {};
  if (isJsonObject(json)) return json;
  throw unreadable("The body should be a JSON object.");
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
