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

export interface Schema {
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
