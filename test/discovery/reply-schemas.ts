import { Ajv2020 } from "ajv/dist/2020.js";
import type { OpenApi, Schema } from "./open-api.ts";

/** How a reply differs from the document's schema; undefined when it matches. */
export type CheckReply = (path: string, verb: string, status: number, json: unknown) => string | undefined;

/**
 * Checks replies against an OpenAPI document, more strictly than clients must: a field that the document lacks is a fault.
 * Throws when the document has no such path, verb or status.
 */
export function createReplyCheck(document: OpenApi): CheckReply {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(closed(document), "roost");
  return (path, verb, status, json) => {
    const response = document.paths[path]?.[verb]?.responses[status];
    if (response === undefined) throw new Error(`The document has no ${status} for ${verb} ${path}`);
    const place = response.$ref?.slice(1) ?? ["", "paths", path, verb, "responses", `${status}`].map(escaped).join("/");
    const validate = ajv.getSchema(`roost#${place}/content/application~1json/schema`);
    if (validate === undefined) throw new Error(`The document has no JSON for ${status} of ${verb} ${path}`);
    return validate(json) ? undefined : ajv.errorsText(validate.errors);
  };
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
