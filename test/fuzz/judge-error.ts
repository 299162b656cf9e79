import { isDeepStrictEqual } from "node:util";
import { requestFields } from "./texts.ts";

const badInput = [
  "NotEmpty",
  "Email",
  "RegularExpression",
  "Length",
  "AlreadyExists",
  "InclusiveBetween",
  "InvalidUrl",
  "SerializationException",
  "InvalidCallback",
  "BadRequest",
  "Equal",
];

/** The codes of each status (contract §5). */
const codes: Readonly<Record<number, readonly string[]>> = {
  400: badInput,
  401: ["Unauthorized"],
  403: ["Forbidden", "Suspended"],
  404: ["NotFound"],
  405: ["NotImplementedException", "MethodNotAllowed"],
  408: ["Timeout"],
  409: ["Conflict"],
  413: ["RequestTooLarge"],
  414: ["RequestTooLarge"],
  417: ["BadRequest"],
  429: ["TooManyRequests"],
  431: ["RequestTooLarge"],
};

const fields = new Set(requestFields);

interface Failure {
  errorCode: string;
  message: string;
  fieldName?: string;
  errors?: Required<Omit<Failure, "errors">>[];
}

/**
 * Checks an error against the error shape (contract §5).
 * @param status undefined for JSONP, where the status is always 200
 * @throws Error that names the broken rule
 */
export function judgeError(status: number | undefined, data: unknown): void {
  demand(keysAre(data, "responseStatus"), "an error has more than responseStatus");
  const { responseStatus: failure } = data as { responseStatus: Failure };
  const { errorCode, message, errors } = failure;
  demand(
    keysAre(failure, "errorCode,message") || keysAre(failure, "errorCode,message,errors"),
    `responseStatus has ${Object.keys(failure).join()}`,
  );
  const allowed = status === undefined ? Object.values(codes).flat() : (codes[status] ?? []);
  demand(allowed.includes(errorCode), `errorCode ${errorCode} with status ${status ?? "200 of JSONP"}`);
  demand(typeof message === "string" && message !== "", "an error without a message");
  if (errors === undefined) return;
  demand(Array.isArray(errors) && errors.length > 0, "errors is empty");
  demand(
    errors.every((error) => keysAre(error, "errorCode,fieldName,message")),
    "an entry of errors has another shape",
  );
  demand(
    errors.every(({ fieldName }) => fields.has(fieldName)),
    `unknown field in ${JSON.stringify(errors)}`,
  );
  demand(new Set(errors.map(({ fieldName }) => fieldName)).size === errors.length, "a field has two entries");
  demand(
    isDeepStrictEqual([errors[0]?.errorCode, errors[0]?.message], [errorCode, message]),
    "the error's code and message are not those of the first entry",
  );
}

function keysAre(value: unknown, keys: string): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).join() === keys;
}

function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
