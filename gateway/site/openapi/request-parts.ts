import type { Operation } from "../../operations/operation-table.ts";
import { publicFields, publicName } from "../../rendering/public-fields.ts";
import type { Schema } from "./field-schema.ts";
import type { MessageSchemas } from "./message-schemas.ts";

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

export const gatewayReferences: readonly Schema[] = Object.keys(gatewayParameters).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

/** The request's fields as query parameters. */
export function queryParameters({ method }: Operation, schemas: MessageSchemas): Schema[] {
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
