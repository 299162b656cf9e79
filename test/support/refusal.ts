import { Code, ConnectError } from "@connectrpc/connect";
import { type FieldError, ResponseStatusSchema } from "../../proto/gen/contract/v1/response_status_pb.ts";

export interface Refusal {
  code: string;
  errorCode: string | undefined;
  message: string | undefined;
  /** "fieldName errorCode" of each bad field. */
  fields: string[];
}

/** What a call was refused with. Throws when it was not refused, or without the detail that every error carries. */
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
