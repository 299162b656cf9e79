import { Ajv2020 } from "ajv/dist/2020.js";

/** The parts of an OpenAPI document that the tests read. */
export interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Endpoint>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, unknown> };
}

interface Endpoint {
  operationId: string;
  security?: object[];
  "x-aliases": { path: string; answers: "reply" | "batch" | "nothing" }[];
  responses: Record<string, { content?: Record<string, { schema: object }>; $ref?: string }>;
}

interface Schema {
  type?: string;
  description?: string;
  enum?: string[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: object | false;
  items?: Schema;
  allOf?: Schema[];
  $ref?: string;
}

/** How a reply differs from the document's schema; undefined when it matches. */
export type CheckReply = (path: string, status: number, json: unknown) => string | undefined;

/**
 * Checks replies against an OpenAPI document, more strictly than clients must: a field that the document lacks is a fault.
 * Throws when the document has no such path, also as an alias, or status.
 */
export function createReplyCheck(document: OpenApi): CheckReply {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(closed(document), "roost");
  const endpoints = endpointsOf(document);
  return (path, status, json) => {
    const { pointer, endpoint, answers } = endpoints.get(path) ?? {};
    const response = endpoint?.responses[status];
    if (response === undefined) throw new Error(`The document has no ${status} for ${path}`);
    const place = response.$ref?.slice(1) ?? `${pointer}/responses/${status}`;
    const validate = ajv.getSchema(`roost#${place}/content/application~1json/schema`);
    if (validate === undefined) throw new Error(`The document has no JSON for ${status} of ${path}`);
    const replies = answers === "batch" && status === 200 ? (json as unknown[]) : [json];
    return replies.every((reply) => validate(reply) === true) ? undefined : ajv.errorsText(validate.errors);
  };
}

/** The endpoints of a document, by their paths and aliases, with the pointers to them. */
function endpointsOf({ paths }: OpenApi) {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([verb, endpoint]) => {
      const pointer = ["", "paths", path, verb].map(escaped).join("/");
      const own = { path, answers: "reply" as const };
      return [own, ...endpoint["x-aliases"]].map((each) => [each.path, { pointer, endpoint, ...each }] as const);
    }),
  );
  return new Map(all);
}

/** A copy of the document in which objects may have only the fields of their schema. */
function closed(document: OpenApi): OpenApi {
  const copy = structuredClone(document);
  for (const schema of Object.values(copy.components.schemas) as Schema[]) {
    if (schema.properties !== undefined) schema.additionalProperties = false;
  }
  return copy;
}

/** A key as a step of a JSON pointer in a URL's fragment. */
function escaped(key: string): string {
  return encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
}
