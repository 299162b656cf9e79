import type { DescMethod } from "@bufbuild/protobuf";
import { Code, type Interceptor } from "@connectrpc/connect";
import type { Log } from "../log.ts";
import { currentSpan } from "../tracing/span.ts";
import { callerOf, referenceOf } from "./identity.ts";
import { codeOf, isReadOnly, rpcName } from "./rpc-names.ts";

/**
 * Logs one line for each RPC when it ends: its name, code and milliseconds, the caller, and the reference of the public request
 * that it is for. Writes and our own failures are logged at level info; other reads, which the gateway logs as well, at debug. No
 * content of the request is logged.
 */
export function logRpcs(log: Log): Interceptor {
  return (next) => async (request) => {
    const level = isRead(request.method) ? "debug" : "info";
    const start = performance.now();
    const tell = (code?: Code) => {
      const chosen = code !== undefined && ourFault.has(code) ? "info" : level;
      if (!log.isLevelEnabled(chosen)) return;
      const rpc = rpcName(request.method);
      const ms = Math.round((performance.now() - start) * 10) / 10;
      const [caller, reference] = [callerOf(request.header), referenceOf(request.header)];
      const trace = currentSpan()?.traceId;
      log[chosen]({ rpc, code: code === undefined ? "OK" : Code[code], ms, caller, reference, trace }, "rpc");
    };
    try {
      const response = await next(request);
      tell();
      return response;
    } catch (error) {
      tell(codeOf(error));
      throw error;
    }
  };
}

const ourFault = new Set([
  Code.Unknown,
  Code.Internal,
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.ResourceExhausted,
  Code.Aborted,
  Code.DataLoss,
]);

// gRPC's own services have no idempotency levels; they only read.
function isRead(method: DescMethod): boolean {
  return isReadOnly(method) || method.parent.typeName.startsWith("grpc.");
}
