import { Code, ConnectError } from "@connectrpc/connect";
import { type FieldError, ResponseStatusSchema } from "../../proto/gen/contract/v1/response_status_pb.ts";

export interface Refusal {
  code: string;
  errorCode: string | undefined;
  message: string | undefined;
  /** "fieldName errorCode" of each bad field. */
  fields: string[];
}

/** The error of a refused call. Throws when it was not refused, or when the error has no detail, which every error must have. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const error = await call.then(
    () => new Error("the call was not refused"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConnectError)) throw error;
  const [detail] = error.findDetails(ResponseStatusSchema);
  if (detail === undefined) throw new Error(`an error without a detail: ${error.message}`);
  return {
    code: Code[error.code] as string,
    errorCode: detail.errorCode,
    message: detail.message,
    fields: detail.errors.map(({ fieldName, errorCode }: FieldError) => `${fieldName} ${errorCode}`),
  };
}

/** The same in one line: the code, then "fieldName errorCode" of each bad field. */
export async function refusalLine(call: Promise<unknown>): Promise<string> {
  const { code, fields } = await refusalOf(call);
  return [code, ...fields].join(" ");
}

/**
 * Makes a call again while the service is too busy with its user's other writes, as callers do: on a slow machine hundreds of them
 * take longer than the service lets one wait. What was refused so has changed nothing.
 */
export function untilAccepted<T>(call: () => Promise<T>): Promise<T> {
  return untilNot(Code.Aborted, call);
}

/**
 * Makes a deletion again while the service says that it goes on, as callers do: on a slow machine what is left of a status takes longer
 * to be deleted than the service lets a caller wait.
 */
export function untilFinished<T>(call: () => Promise<T>): Promise<T> {
  return untilNot(Code.Unavailable, call);
}

async function untilNot<T>(code: Code, call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ConnectError) || error.code !== code || attempt === maxAttempts) throw error;
    }
  }
}

const maxAttempts = 10;
