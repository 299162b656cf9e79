import type { FastifyRequest } from "fastify";
import type { Sessions } from "../sessions/sessions.ts";
import type { Operation } from "./operation-table.ts";
import { jsonOf, type OperationParts, runOperation } from "./run-operation.ts";

/**
 * Runs a public read by its name for an anonymous caller, whatever session the request presents. Gives the reply as an object; rejects as
 * the operation does.
 * @param fields by name, as texts
 */
export type ReadAnonymously = (
  operation: string,
  fields: Readonly<Record<string, string>>,
  request: FastifyRequest,
) => Promise<unknown>;

/** Reads for pages of the gateway itself. They are as fresh as the operations: the cache is the same. */
export function createReadAnonymously(operations: readonly Operation[], parts: OperationParts): ReadAnonymously {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const anonymousParts = { ...parts, sessions: anonymous };
  return async (name, fields, request) => {
    const operation = byName.get(name) as Operation;
    const input = operation.bind({}, [Object.entries(fields)]);
    return JSON.parse(jsonOf(await runOperation(anonymousParts, operation, input, request, false)).toString());
  };
}

const anonymous: Sessions = {
  identify: async () => ({}),
  presented: () => ({ id: "", isCookie: false, hasForeignCookie: false }),
  setCookie: () => {},
};
