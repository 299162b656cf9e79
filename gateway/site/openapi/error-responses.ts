import type { Schema } from "./field-schema.ts";

/** Every status that an error can have, with the codes that come with it (contract §5). */
const rows: readonly [status: number, cause: string, codes: string][] = [
  [
    400,
    "A bad field, or input that cannot be read",
    "`NotEmpty`, `Email`, `RegularExpression`, `Length`, `AlreadyExists`, `InclusiveBetween`, `InvalidUrl`, `Equal`, `SerializationException`, `InvalidCallback`, `BadRequest`",
  ],
  [401, "Sign in first", "`Unauthorized`"],
  [403, "Not allowed", "`Forbidden`, `Suspended`"],
  [404, "An unknown user or path", "`NotFound`"],
  [405, "An unknown operation", "`NotImplementedException`"],
  [408, "The request took too long to arrive", "`Timeout`"],
  [409, "Another write came first", "`Conflict`"],
  [413, "The body is too large", "`RequestTooLarge`"],
  [414, "The URL is too long", "`RequestTooLarge`"],
  [417, "An expectation that cannot be met", "`BadRequest`"],
  [429, "Too many requests", "`TooManyRequests`"],
  [431, "The headers are too large", "`RequestTooLarge`"],
  [500, "A defect on our side", "`InternalServerError`"],
  [503, "Overload, or a dependency is down", "`ServiceUnavailable`"],
  [504, "The answer took too long", "`Timeout`"],
];

const retryAfter = { description: "Seconds after which another try makes sense.", schema: { type: "integer" } };

/** For `components.responses`: one for each status of an error. */
export function errorResponses(): Record<string, Schema> {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/ErrorResponse" } } };
  const responses = rows.map(([status, cause, codes]) => {
    const headers = status === 429 || status === 503 ? { headers: { "Retry-After": retryAfter } } : {};
    return [`Error${status}`, { description: `${cause}: ${codes}.`, ...headers, content }] as const;
  });
  return Object.fromEntries(responses);
}

/** For the `responses` of an operation. */
export function errorReferences(): Record<string, Schema> {
  return Object.fromEntries(rows.map(([status]) => [`${status}`, { $ref: `#/components/responses/Error${status}` }]));
}

/** The one error shape, around the schema of its ResponseStatus. */
export function errorSchema(responseStatus: Schema): Schema {
  return {
    type: "object",
    description: "What every failure answers, on every route.",
    properties: {
      responseStatus: { allOf: [responseStatus, { type: "object", required: ["errorCode", "message"] }] },
    },
    required: ["responseStatus"],
  };
}
