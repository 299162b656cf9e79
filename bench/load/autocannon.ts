import autocannon from "autocannon";
import { connections, type Draw, type Load } from "./load.ts";

/** Load with autocannon, from this process, which does nothing else meanwhile. */
export const autocannonLoad: Load = async (url, draw, seconds) => {
  let clients = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 10,
    setupClient(client) {
      client.setRequests(share(draw, clients++));
    },
  });
  const refused = draw.status < 400 ? result["4xx"] : result["2xx"] + result["3xx"];
  const errors = result.errors + result["5xx"] + refused;
  const requests = result.requests.total;
  if (errors > 0 || requests === 0) throw new Error(`${errors} of ${requests} requests failed`);
  return {
    requests,
    perSecond: requests / result.duration,
    p99: result.latency.p99,
  };
};

/** Requests of each connection: enough for a mixture, few enough to be made before the measurement starts. */
const shareLength = 500;

// Each connection has its own range; if all started at one place they would request the same.
function share({ targets, order }: Draw, client: number): autocannon.Request[] {
  return Array.from({ length: shareLength }, (_, index) => {
    const target = targets[order[(client * shareLength + index) % order.length] as number];
    const { path = "/", headers, body } = target ?? {};
    return {
      method: body === undefined ? "GET" : "POST",
      path,
      headers: { ...headers },
      ...(body !== undefined && { body }),
    };
  });
}
