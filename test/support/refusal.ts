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
