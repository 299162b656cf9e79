// Each kind of call has connections of its own: slow calls of one kind hold up no other.
import { createServer, type ServerResponse } from "node:http";
import { create } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { createServiceClients } from "../../gateway/clients.ts";
import { loadConfig } from "../../gateway/config.ts";
import { compileOperations } from "../../gateway/operations/operation-table.ts";
import { withTimeout } from "../../services/platform/with-timeout.ts";
import { eventually } from "../support/eventually.ts";
import { listen } from "../support/listen.ts";
import { suite } from "../support/suite.ts";

const Connections = suite("connections to the services");

Connections("answer batches, writes and tokens while single reads hang, and the other way round", async () => {
  const hanging: ServerResponse[] = [];
  let slow = "/";
  const server = createServer((request, response) => {
    request.resume();
    if (request.url?.endsWith(slow)) hanging.push(response);
    else response.setHeader("content-type", "application/proto").end();
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  const clients = createServiceClients(loadConfig({ ACCOUNT_URL: url, SOCIAL_URL: url }));
  try {
    const operations = compileOperations(clients.services);
    const operation = (name: string) => {
      const found = operations.find((one) => one.name === name);
      if (found === undefined) throw new Error(name);
      return found;
    };
    const call = (name: string) => {
      const { call, method } = operation(name);
      return call(create(method.input), {}, performance.now() + 60_000);
    };
    const batch = () => {
      const { transport, method } = operation("SocialTimelines");
      return transport.unary(method, undefined, 60_000, undefined, create(method.input));
    };
    const calls: Record<string, () => Promise<unknown>> = {
      SocialFollowers: () => call("SocialFollowers"),
      PublishStatus: () => call("PublishStatus"),
      SocialTimelines: batch,
      ListVersions: () => clients.versions.listVersions({}),
      Authenticate: () => call("Authenticate"),
      Sessions: () => call("Sessions"),
    };
    for (const name of Object.keys(calls)) {
      slow = `/${name}`;
      const stuck = Array.from({ length: 70 }, async () => calls[name]?.().catch(() => {}));
      await eventually("the calls", async () => hanging.length >= 48);
      for (const [other, ask] of Object.entries(calls)) if (other !== name) await withTimeout(10_000, ask());
      slow = "/";
      for (const response of hanging.splice(0)) response.setHeader("content-type", "application/proto").end();
      await Promise.all(stuck);
    }
    assert.is(hanging.length, 0);
  } finally {
    clients.close();
    server.closeAllConnections();
    server.close();
  }
});

Connections.run();
