import { type BadField, signInFirstMessage } from "../../../services/platform/errors.ts";
import { maxBodyBytes, maxHeaderBytes, maxUrlLength } from "../limits/limits.ts";
import { PublicError, type PublicErrorParts } from "./public-error.ts";

/** The input as a whole cannot be read. */
export function unreadable(message: string): PublicError {
  return new PublicError({ status: 400, errorCode: "SerializationException", message });
}

/** Fields that break a rule or cannot be read, at least one, in the order of the request's table. The error has the code and message of the first. */
export function badFields(errors: readonly BadField[]): PublicError {
  const [{ errorCode, message }] = errors as [BadField];
  return new PublicError({ status: 400, errorCode, message, errors });
}

/** An operation for signed-in users was called without a valid session (contract §10.6). */
export function signInFirst(): PublicError {
  return new PublicError({ status: 401, errorCode: "Unauthorized", message: signInFirstMessage });
}

/** A batch has one Idempotency-Key, which could be that of any of its writes. */
export function severalWrites(): PublicError {
  return unreadable("'Idempotency-Key' names one request. Each item of a batch has a 'requestId' of its own.");
}

/** A live stream cannot be wrapped (contract §15). */
export function noCallback(): PublicError {
  const message = "A stream of events cannot be wrapped in a 'callback'.";
  return new PublicError({ status: 400, errorCode: "InvalidCallback", message });
}

/** The address has as many live streams as it may have. */
export function tooManyStreams(): PublicError {
  const message = "There are too many open streams from your address.";
  return new PublicError({ status: 429, errorCode: "TooManyRequests", message, retryAfter: 10 });
}

/** This gateway has as many live streams as it can hold. */
export function noRoomForStreams(): PublicError {
  return new PublicError({ ...notNow, message: "The server has too many open streams.", retryAfter: 10 });
}

/** The `callback` parameter is not a name (contract §4). */
export function invalidCallback(): PublicError {
  return new PublicError({
    status: 400,
    errorCode: "InvalidCallback",
    message: "'callback' should be the name of a JavaScript function, of at most 128 characters.",
  });
}

/** No route has this path. */
export function unknownPath(): PublicError {
  return new PublicError({ status: 404, errorCode: "NotFound", message: "There is nothing at this path." });
}

/** A generic route names an operation that does not exist. */
export function unknownOperation(): PublicError {
  return new PublicError({
    status: 405,
    errorCode: "NotImplementedException",
    message: "There is no operation of that name.",
  });
}

/** A path that is not an operation was requested with another verb than GET or HEAD. */
export function methodNotAllowed(): PublicError {
  const message = "What is at this path can only be read, with GET or HEAD.";
  return new PublicError({ status: 405, errorCode: "NotImplementedException", message });
}

/** `/types/LANGUAGE` for a language of ServiceStack that is not served. */
export function unknownLanguage(): PublicError {
  const message =
    "There is nothing at this path. The operations are described at /openapi.json and /metadata, and their classes are at /types/typescript and /types/csharp.";
  return new PublicError({ status: 404, errorCode: "NotFound", message });
}

/** What both kinds of 503 have in common; retryAfter is in seconds. */
const notNow = { status: 503, errorCode: "ServiceUnavailable", retryAfter: 1 };

/** This gateway has more requests than it can answer in time or hold in memory. Counted as roost_refusals_total{reason="load"}. */
export function overloaded(): PublicError {
  return new PublicError({ ...notNow, message: "The server is overloaded." });
}

/** A service does not answer, is overloaded itself, or broke the connection. The log has its code, Unavailable or Aborted. */
export const unavailable: PublicErrorParts = { ...notNow, message: "The service is not available at the moment." };

/** The request breaks HTTP itself. */
export function malformedRequest(message: string): PublicError {
  return new PublicError({ status: 400, errorCode: "BadRequest", message, closes: true });
}

/** HTTP/1.1 asks for a Host header (RFC 9112 §3.2). */
export function missingHost(): PublicError {
  return malformedRequest("The request has no Host header.");
}

/** Two Host headers: programs differ in which one they use (RFC 9112 §3.2). */
export function severalHosts(): PublicError {
  return malformedRequest("The request has more than one Host header.");
}

/** `Expect` asks for something else than 100-continue (RFC 9110 §10.1.1). */
export function unmetExpectation(): PublicError {
  const message = "'Expect' can only ask for 100-continue.";
  return new PublicError({ status: 417, errorCode: "BadRequest", message, closes: true });
}

/** The request did not arrive in time. */
export function requestTimeout(): PublicError {
  const message = "The request took too long to arrive.";
  return new PublicError({ status: 408, errorCode: "Timeout", message, closes: true });
}

/** 413: the body has more than `maxBodyBytes` bytes. */
export function bodyTooLarge(): PublicError {
  return requestTooLarge(413, `The body is larger than ${maxBodyBytes} bytes.`);
}

/** 414: the URL has more than `maxUrlLength` characters. */
export function urlTooLong(): PublicError {
  return requestTooLarge(414, `The URL is longer than ${maxUrlLength} characters.`);
}

/** 431: the head has more than `maxHeaderBytes` bytes. */
export function headersTooLarge(): PublicError {
  return requestTooLarge(431, `The headers are larger than ${maxHeaderBytes} bytes.`);
}

function requestTooLarge(status: number, message: string): PublicError {
  return new PublicError({ status, errorCode: "RequestTooLarge", message, closes: true });
}
