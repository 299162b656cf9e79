import { isDeepStrictEqual } from "node:util";
import { Script } from "node:vm";
import type { FuzzReply } from "./fuzz-case.ts";
import { goodCallbacks } from "./targets.ts";
import { requestFields } from "./texts.ts";

/**
 * Checks a reply against the rules for every reply (contract §3 to §5).
 * @param asked the request, if known: it decides whether the reply must have no body, or must be a JSONP call
 * @throws Error that names the broken rule
 */
export function judgeReply(reply: FuzzReply, asked?: { method: string; target: string }): void {
  const { status, headers, body } = reply;
  demand(status >= 200 && status < 500, `the status is ${status}`);
  demand(headers["x-content-type-options"] === "nosniff", "there is no nosniff");
  if (status === 204 || status === 304 || asked?.method === "HEAD")
    return demand(body.length === 0, "a body where there must be none");
  if (isPage(reply, asked?.target) || isRedirect(reply, asked?.target)) return;
  const callback = callbackOf(asked?.target);
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  const type = headers["content-type"];
  if (type === "text/javascript; charset=utf-8") return judgeCall(reply, text, callback);
  demand(type === "application/json", `the content type is ${type}`);
  demand(callback === undefined || status === 414, `the reply is not a call of ${callback}`);
  judgeJson(reply, text, status >= 400);
}

function judgeCall(reply: FuzzReply, text: string, callback: string | undefined): void {
  const [, name = "", json = ""] = /^([^(]+)\((.*)\)$/su.exec(text) ?? [];
  demand(name !== "" && /^[\p{ID_Continue}$.["\]\u200c\u200d]+$/u.test(name), "the reply is not a call of a name");
  demand(callback === undefined || callback === name, `the reply calls ${name} and not ${callback}`);
  demand(!/<\/|[\u2028\u2029]/.test(json), "the call contains what ends a script");
  demand(reply.status === 200, `a script with status ${reply.status} never runs`);
  demand(reply.headers["cache-control"] === "no-store", "a call may be stored");
  demand(reply.headers["set-cookie"] === undefined, "a call sets a cookie");
  // Throws when this is no valid script.
  void new Script(text);
  judgeJson(reply, json, undefined);
}

/** @param failed whether the reply must be an error; undefined when only its text shows that */
function judgeJson({ status, headers }: FuzzReply, text: string, failed: boolean | undefined): void {
  const data = JSON.parse(text) as unknown;
  demand(typeof data === "object" && data !== null, "the JSON is no object");
  const code = (data as { responseStatus?: { errorCode?: unknown } }).responseStatus?.errorCode;
  demand(failed === undefined || failed === (code !== undefined), `status ${status} with errorCode ${String(code)}`);
  if (code === undefined) return judgeSuccess(data as object, text);
  demand(headers["cache-control"] === "no-store", "an error may be stored");
  judgeError(failed === undefined ? undefined : status, data);
}

// The OpenAPI document has another form.
function judgeSuccess(data: object, text: string): void {
  if ("openapi" in data) return;
  demand(!/\n|: |, "/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '""')), "there is white space in the JSON");
  for (const answer of Array.isArray(data) ? (data as object[]) : [data]) {
    const { responseStatus } = answer as { responseStatus?: object };
    const isBare = responseStatus !== undefined && Object.keys(responseStatus).length === 0;
    demand("results" in answer || "sessionId" in answer || isBare, "a success is neither results nor a session");
  }
}

// The paths of the gateway's HTML pages and of the icon, whose contents are not checked.
const pagePaths =
  /^\/(?:$|@|favicon\.ico$|docs(?:\/|$)|metadata(?:\/|$)|json\/metadata|(?:join|sign-in|requests|settings(?:\/[a-z]+)?)\/?$)/i;

/** A browser's request for a user's name is redirected to the page. */
function isRedirect({ status, headers, body }: FuzzReply, target = "/x"): boolean {
  if (status !== 302) return false;
  return (
    /^\/@[\w.-]{1,36}$/.test(headers.location ?? "") && body.length === 0 && !pathOf(target).slice(1, -1).includes("/")
  );
}

function isPage({ status, headers, body }: FuzzReply, target: string | undefined): boolean {
  if (headers["content-type"] === "application/json") return false;
  const path = target === undefined ? undefined : pathOf(target);
  // The page of a user or a status that is not there, or not for everyone, has that status.
  if (status >= 400) return (status === 403 || status === 404) && path !== undefined && path.startsWith("/@");
  if (path !== undefined) return pagePaths.test(path);
  return /^<!doctype html>/i.test(body.toString("latin1", 0, 20));
}

function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/]*/, "").split(/[?#]/, 1)[0] as string;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The callback of a target, if it has exactly one valid one. */
function callbackOf(target: string | undefined): string | undefined {
  if (target === undefined || target.includes("#")) return undefined;
  const named = target
    .split("?")
    .slice(1)
    .join("?")
    .split("&")
    .filter((pair) => /c[^=]*k/i.test(pair) || pair.includes("%"));
  const [pair, ...others] = named.filter((text) => !/^[a-z]*=/i.test(text) || /^callback=/i.test(text));
  const name = pair?.replace(/^callback=/i, "");
  return others.length === 0 && name !== undefined && goodCallbacks.includes(name) ? name : undefined;
}

function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

const badInput =
  "NotEmpty Email RegularExpression Length AlreadyExists InclusiveBetween InvalidUrl SerializationException " +
  "InvalidCallback BadRequest Equal";

/** The codes of each status (contract §5). */
const codes: Readonly<Record<number, readonly string[]>> = {
  400: badInput.split(" "),
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
function judgeError(status: number | undefined, data: unknown): void {
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
