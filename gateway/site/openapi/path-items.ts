import type { Operation } from "../../operations/operation-table.ts";
import { genericPaths } from "../../operations/paths.ts";
import { publicFields, publicName } from "../../rendering/public-fields.ts";
import { errorReferences } from "./error-responses.ts";
import type { Schema } from "./field-schema.ts";
import type { MessageSchemas } from "./message-schemas.ts";

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

/** For `components.parameters`: what the gateway takes on every route (interface document, Endpoints). */
export const gatewayParameters: Record<string, Schema> = {
  callback: {
    name: "callback",
    in: "query",
    description:
      "The name of a JavaScript function: the reply becomes a script that calls it (JSONP), with status 200.",
    schema: { type: "string", maxLength: 128 },
  },
  format: {
    name: "format",
    in: "query",
    description: "Accepted everywhere, and changes nothing: the reply is JSON.",
    schema: { type: "string", const: "json" },
  },
};

const gatewayReferences: readonly Schema[] = Object.keys(gatewayParameters).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

/** The request's fields as query parameters. */
function queryParameters({ method }: Operation, schemas: MessageSchemas): Schema[] {
  return publicFields(method.input).map((field) => {
    const { description, ...schema } = schemas.describedField(field);
    const style = field.fieldKind === "list" ? { style: "form", explode: false } : {};
    return { name: publicName(field), in: "query", description, schema, ...style };
  });
}

/** For `components.requestBodies`: the request as JSON or as a form. Each field may be in the path or the query instead. */
export function requestBody(request: Schema): Schema {
  const types = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"];
  return { content: Object.fromEntries(types.map((type) => [type, { schema: request }])) };
}
