import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./eventually.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { freePort } from "./listen.ts";
import { startTestRedis, type TestRedis } from "./redis.ts";

const slots = 16_384;
const size = 3;

/**
 * Starts three redis-server processes of this machine as a cluster, masters without replicas, in memory only; undefined where there is no
 * redis-server. Its `url` is what REDIS_URL takes.
 * @param announced gives the port at which callers find the node of a port
 */
export async function startTestRedisCluster(announced: (port: number) => Promise<number> = async (port) => port) {
  const folder = mkdtempSync(join(tmpdir(), "roost-cluster-"));
  const nodes: TestRedis[] = [];
  const buses: number[] = [];
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  for (let index = 0; index < size; index++) {
    const [bus, port] = [await freePort(), await freePort()];
    const settings = ["--cluster-enabled", "yes", "--cluster-port", `${bus}`, "--dir", folder];
    settings.push("--cluster-config-file", `node-${index}.conf`, "--cluster-announce-port", `${await announced(port)}`);
    const node = await startTestRedis(settings, port);
    if (node === undefined) {
      await stop();
      return undefined;
    }
    nodes.push(node);
    buses.push(bus);
  }
  const [first] = nodes as [TestRedis];
  for (const [index, node] of nodes.entries()) {
    const [from, to] = [Math.floor((slots * index) / size), Math.floor((slots * (index + 1)) / size) - 1];
    await node.send(`CLUSTER ADDSLOTSRANGE ${from} ${to}`);
    if (index > 0) await first.send(`CLUSTER MEET 127.0.0.1 ${node.port} ${buses[index]}`);
  }
  await eventually("the cluster", async () => {
    const infos = await Promise.all(nodes.map((node) => node.send("CLUSTER INFO")));
    return infos.every((info) => info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${size}`));
  });
  return { nodes, url: nodes.map(({ url }) => url).join(","), stop };
}

/** The same, whose callers reach each master through a proxy, in the order of the nodes; `url` names the proxies. */
export async function startWiredRedisCluster() {
  const proxies: FaultProxy[] = [];
  const closeAll = () => Promise.all(proxies.map((proxy) => proxy.close()));
  // Callers learn the nodes' addresses from the nodes.
  const cluster = await startTestRedisCluster(async (port) => {
    const proxy = await startFaultProxy(port);
    proxies.push(proxy);
    return proxy.port;
  });
  if (cluster === undefined) {
    await closeAll();
    return undefined;
  }
  return {
    nodes: cluster.nodes,
    proxies,
    url: proxies.map(({ port }) => `redis://127.0.0.1:${port}`).join(","),
    async stop() {
      await closeAll();
      await cluster.stop();
    },
  };
}
