import { ResponseStatusSchema } from "../../../proto/gen/contract/v1/response_status_pb.ts";
import { maxBatchSize } from "../../http/limits/limits.ts";
import type { Operation } from "../../operations/operation-table.ts";
import type { CommentOf } from "../comments/load-comments.ts";
import { errorResponses, errorSchema } from "./error-responses.ts";
import type { Schema } from "./field-schema.ts";
import { MessageSchemas } from "./message-schemas.ts";
import { gatewayParameters, pathItem, requestBody } from "./path-items.ts";

/** The OpenAPI 3.1 document of the operations: all that it says comes from their descriptors and the contract. */
export function openApiDocument(operations: readonly Operation[], commentOf: CommentOf): Schema {
  const requests = new Set(operations.map(({ method }) => method.input));
  const schemas = new MessageSchemas(commentOf, requests);
  const bodies = operations.map(({ name, method }) => [name, requestBody(schemas.refTo(method.input))]);
  const paths = operations.map((operation) => pathItem(operation, schemas, commentOf(operation.method)));
  const responseStatus = schemas.refTo(ResponseStatusSchema);
  return {
    openapi: "3.1.0",
    info: { title: "Roost", version: "1", description, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/" }],
    // Without an actor a session is optional; with one a reply may show more.
    security: [{}, { session: [] }, { cookie: [] }],
    tags: operations.map(({ name, method }) => ({ name, description: commentOf(method) })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: { ...schemas.schemas, ErrorResponse: errorSchema(responseStatus) },
      parameters: gatewayParameters,
      requestBodies: Object.fromEntries(bodies),
      responses: errorResponses(),
      securitySchemes: {
        session: { type: "http", scheme: "bearer", description: "The `sessionId` of a signed-in session." },
        cookie: { type: "apiKey", in: "cookie", name: "ss-id", description: "The same, as Registration sets it." },
      },
    },
  };
}

const description = [
  "Accounts, profiles and timelines.",
  "Each operation stands here once, with the usual verb; every HTTP verb does the same. Fields are taken from the path, the",
  "query, a form or a JSON body, their names without regard to case. Lists may be given as `a,b`, or with brackets after the name.",
  "`x-aliases` of an operation are its other paths. One that answers `batch` takes an array of up to",
  `${maxBatchSize} requests and answers an array of replies; one that answers \`nothing\` runs the operation and answers 204.`,
].join(" ");
