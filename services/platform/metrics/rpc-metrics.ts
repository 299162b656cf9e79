import type { DescMethod } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { codeName, rpcName } from "../connect/rpc-names.ts";
import { oncePer } from "../once-per.ts";
import { type Counters, createCounters, createHistograms, durations, type Histograms } from "./instruments.ts";
import type { Registry } from "./registry.ts";

/** Counts and times the RPCs that this process serves, by their names in the descriptors. */
export function measureServed(registry: Registry): Interceptor {
  return measure(
    createCounters(registry, "roost_rpcs_total", "RPCs served, by name and code.", ["rpc", "code"]),
    createHistograms(registry, "roost_rpc_duration_seconds", "Time to serve an RPC.", ["rpc"], durations),
  );
}

/** Counts and times the RPCs that this process calls. */
export function measureCalls(registry: Registry): Interceptor {
  return measure(
    createCounters(registry, "roost_calls_total", "RPCs called, by name and code.", ["rpc", "code"]),
    createHistograms(
      registry,
      "roost_call_duration_seconds",
      "Time until the answer of a called RPC.",
      ["rpc"],
      durations,
    ),
  );
}

function measure(counts: Counters, times: Histograms): Interceptor {
  const measuredOf = oncePer((method: DescMethod) => {
    const name = rpcName(method);
    return { name, duration: times.of(name), succeeded: counts.of(name, "OK") };
  });
  return (next) => async (request) => {
    const { name, duration, succeeded } = measuredOf(request.method);
    const start = performance.now();
    try {
      const response = await next(request);
      succeeded.value++;
      return response;
    } catch (error) {
      counts.of(name, codeName(error)).value++;
      throw error;
    } finally {
      duration.observe((performance.now() - start) / 1_000);
    }
  };
}
