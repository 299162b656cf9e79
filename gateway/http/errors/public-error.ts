import { create, toBinary } from "@bufbuild/protobuf";
import { type ResponseStatus, ResponseStatusSchema } from "../../../proto/gen/contract/v1/response_status_pb.ts";
import type { BadField } from "../../../services/platform/errors.ts";
import { compileTranscoder } from "../../rendering/compile-transcoder.ts";

/** What a public error is made of. */
export interface PublicErrorParts {
  /** The HTTP status; under JSONP it is 200 all the same. */
  status: number;
  errorCode: string;
  message: string;
  errors?: readonly BadField[];
  /** Whole seconds after which another try makes sense. */
  retryAfter?: number;
  /** Whether the connection has to be closed: the rest of the request on it was not read. */
  closes?: boolean;
}

/** An error in the contract's shape (contract §5): everything in it may be public. */
export class PublicError extends Error {
  override name = "PublicError";
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly closes: boolean;
  readonly responseStatus: ResponseStatus;
  #text: string | undefined;

  constructor({ status, errorCode, message, errors = [], retryAfter, closes = false }: PublicErrorParts) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
    this.closes = closes;
    this.responseStatus = create(ResponseStatusSchema, { errorCode, message, errors: [...errors] });
  }

  /** The reply's JSON. */
  toText(): string {
    return (this.#text ??= `{"responseStatus":${transcode(toBinary(ResponseStatusSchema, this.responseStatus))}}`);
  }
}

const transcode = compileTranscoder(ResponseStatusSchema);
