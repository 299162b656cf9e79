import { genericPaths } from "../../operations/generic-paths.ts";
import type { Operation } from "../../operations/operation-table.ts";
import { errorReferences } from "./error-responses.ts";
import type { Schema } from "./field-schema.ts";
import type { MessageSchemas } from "./message-schemas.ts";
import { gatewayReferences, queryParameters } from "./request-parts.ts";

/**
 * The one path of an operation, which takes all of its fields: others stand in `x-aliases`, so that a generated client gets one method for each
 * operation. All verbs do the same; the document has GET for operations that only read, else POST: the fields of a registration do not
 * belong into a query string.
 */
export function pathItem(operation: Operation, schemas: MessageSchemas, comment: string): [string, Schema] {
  const { name, isRead, gatewayFields, paths } = operation;
  const [preferred, ...generic] = genericPaths(name);
  const request = isRead
    ? { parameters: [...queryParameters(operation, schemas), ...gatewayReferences] }
    : { parameters: gatewayReferences, requestBody: { $ref: `#/components/requestBodies/${name}` } };
  const others = [...paths.map(({ template }) => ({ path: template, answers: "reply" })), ...generic];
  const item = {
    operationId: name,
    tags: [name],
    description: comment,
    ...(gatewayFields.hasActor ? { security: ofSignedIn } : {}),
    ...request,
    responses: { ...successes(operation, schemas), ...errorReferences() },
    "x-aliases": others,
  };
  return [(preferred as { path: string }).path, { [isRead ? "get" : "post"]: item }];
}

const ofSignedIn = [{ session: [] }, { cookie: [] }];

const entityTagHeader = { description: "Changes whenever the reply does.", schema: { type: "string" } };
const script = { description: "With `callback`: a call of that function.", type: "string" };

function successes({ method, isStorable }: Operation, schemas: MessageSchemas): Schema {
  const content = {
    "application/json": { schema: schemas.refTo(method.output) },
    "text/javascript": { schema: script },
  };
  const ok = { description: "The operation's answer.", content };
  if (!isStorable) return { 200: ok };
  const notModified = { description: "What the client has, by its `If-None-Match`, still holds." };
  return { 200: { ...ok, headers: { ETag: entityTagHeader } }, 304: notModified };
}
