import { maxBatchSize } from "../../http/limits/limits.ts";
import { type Answers, genericPaths } from "../../operations/generic-paths.ts";
import type { OperationPath } from "../../operations/operation-path.ts";
import type { Operation } from "../../operations/operation-table.ts";
import { errorReferences } from "./error-responses.ts";
import type { Schema } from "./field-schema.ts";
import type { MessageSchemas } from "./message-schemas.ts";
import { gatewayReferences, pathParameters, queryParameters } from "./request-parts.ts";

/**
 * The paths of an operation, its own and the generic ones. All verbs do the same; the document has POST, and GET for operations
 * that only read: the fields of a registration do not belong into a query string.
 */
export function pathItems(operation: Operation, schemas: MessageSchemas, comment: string): [string, Schema][] {
  const item = (route: string, answers: Answers, path?: OperationPath): [string, Schema] => {
    const show = (verb: string, parts: Schema) => ({
      operationId: operationId(verb, route, operation.name),
      tags: [operation.name],
      summary: route,
      description: `${comment}${notes[answers]}`,
      ...(operation.gatewayFields.hasActor ? { security: ofSignedIn } : {}),
      ...parts,
      responses: { ...successes(operation, answers, schemas), ...errorReferences() },
    });
    const variables = path === undefined ? [] : pathParameters(operation, path, schemas);
    const query = () => [...queryParameters(operation, path, schemas), ...gatewayReferences];
    const post = show("post", { parameters: gatewayReferences, requestBody: body(operation, answers, schemas) });
    const get = operation.isRead && answers === "reply" ? { get: show("get", { parameters: query() }) } : {};
    return [route, { ...(variables.length === 0 ? {} : { parameters: variables }), ...get, post }];
  };
  return [
    ...operation.paths.map((path) => item(path.template, "reply", path)),
    ...genericPaths(operation.name).map(({ path, answers }) => item(path, answers)),
  ];
}

const ofSignedIn = [{ session: [] }, { cookie: [] }];

const notes: Record<Answers, string> = {
  reply: "",
  batch: " Runs an array of requests, one after the other; the first that fails fails them all.",
  nothing: " Answers nothing.",
};

// The preferred route has the plain name, so that generated clients get a method of that name.
function operationId(verb: string, route: string, name: string): string {
  return verb === "post" && route === `/json/reply/${name}` ? name : `${verb}${route.replace(/\W+/g, "_")}`;
}

function body({ name, method }: Operation, answers: Answers, schemas: MessageSchemas): Schema {
  if (answers !== "batch") return { $ref: `#/components/requestBodies/${name}` };
  const schema = { type: "array", maxItems: maxBatchSize, items: schemas.refTo(method.input) };
  return { required: true, content: { "application/json": { schema } } };
}

const entityTagHeader = { description: "Changes whenever the reply does.", schema: { type: "string" } };
const completedHeader = { description: "How many requests ran.", schema: { type: "integer" } };
const script = { description: "With `callback`: a call of that function.", type: "string" };

function successes({ method, isStorable }: Operation, answers: Answers, schemas: MessageSchemas): Schema {
  if (answers === "nothing") return { 204: { description: "The operation ran." } };
  const one = schemas.refTo(method.output);
  const schema = answers === "batch" ? { type: "array", items: one } : one;
  const headers = [
    ...(isStorable ? [["ETag", entityTagHeader]] : []),
    ...(answers === "batch" ? [["X-AutoBatch-Completed", completedHeader]] : []),
  ];
  const content = { "application/json": { schema }, "text/javascript": { schema: script } };
  const ok = { description: "The operation's answer.", headers: Object.fromEntries(headers), content };
  return isStorable
    ? { 200: ok, 304: { description: "What the client has, by its `If-None-Match`, still holds." } }
    : { 200: ok };
}
