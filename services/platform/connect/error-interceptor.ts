import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { aborted, unavailable } from "../errors.ts";
import type { Log } from "../log.ts";
import { isConflict, isConnectionFailure, isLockTimeout } from "../postgres/failures.ts";
import { referenceOf } from "./identity.ts";
import { rpcName } from "./rpc-names.ts";

/**
 * Turns what a handler throws into a code. Errors from the catalog pass unchanged; two transactions that conflict, and a row that
 * stayed locked, are Aborted; a lost database is Unavailable. Any other error is a defect: it is logged here once, and the caller
 * gets Internal without its text.
 */
export function translateErrors(log: Log): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      if (error instanceof ConnectError) throw error;
      const rpc = rpcName(request.method);
      const reference = referenceOf(request.header);
      if (isConflict(error) || isLockTimeout(error)) throw aborted(error);
      if (isConnectionFailure(error)) {
        log.warn({ err: error, rpc, reference }, "the database is not available");
        throw unavailable(error);
      }
      log.error({ err: error, rpc, reference }, "defect");
      throw new ConnectError("internal error", Code.Internal);
    }
  };
}
