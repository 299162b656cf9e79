import http from "node:http";
import net from "node:net";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import * as assert from "uvu/assert";
import { loadConfig } from "../../gateway/config.ts";
import { startGateway } from "../../gateway/server.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { notFound } from "../../services/platform/errors.ts";
import { createLog } from "../../services/platform/log.ts";
import { freePort } from "../support/free-port.ts";
import { listen } from "../support/listen.ts";
import { suite } from "../support/suite.ts";

const ServiceFaults = suite("gateway with transport errors of services");

ServiceFaults("passes on the message of a service's error", async () => {
  const handler = connectNodeAdapter({
    routes: (router) =>
      void router.service(SocialService, { socialUsers: () => Promise.reject(notFound("There is no user.")) }),
  });
  const reply = await askThrough(http.createServer(handler));
  assert.equal(reply, [404, '{"responseStatus":{"errorCode":"NotFound","message":"There is no user."}}', null]);
});

ServiceFaults("answers 503 without an address when no service listens", async () => {
  const [status, text, retryAfter] = await ask(await freePort());
  assert.equal([status, retryAfter], [503, "1"]);
  assert.match(text, '"errorCode":"ServiceUnavailable"');
  assert.not.match(text, "127.0.0.1");
});

ServiceFaults("answers 503 when the connection breaks", async () => {
  const [status, text, retryAfter] = await askThrough(
    net.createServer((socket) => socket.once("data", () => socket.destroy())),
  );
  assert.equal([status, retryAfter], [503, "1"]);
  assert.match(text, '"errorCode":"ServiceUnavailable"');
});

ServiceFaults("answers 500, not 401, when the service refuses the gateway's token", async () => {
  const [status, text] = await askThrough(
    http.createServer((_request, response) => response.writeHead(401).end("A service token is needed.")),
  );
  assert.is(status, 500);
  assert.not.match(text, "token");
});

ServiceFaults("answers 503 when the service sends a reply that cannot be read", async () => {
  const [status] = await askThrough(http.createServer((_request, response) => response.end("nonsense")));
  assert.is(status, 503);
});

ServiceFaults.run();

type Answer = [status: number, text: string, retryAfter: string | null];

async function askThrough(server: net.Server): Promise<Answer> {
  const port = await listen(server);
  try {
    return await ask(port);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Requests a user from a gateway whose social service is at `port`. */
async function ask(port: number): Promise<Answer> {
  const config = loadConfig({ GATEWAY_PORT: "0", PAGE_CACHE_BYTES: "0", SOCIAL_URL: `http://127.0.0.1:${port}` });
  const gateway = await startGateway(config, createLog("gateway", "silent"));
  try {
    const reply = await fetch(`${gateway.url}/social/a`, { headers: { connection: "close" } });
    return [reply.status, await reply.text(), reply.headers.get("retry-after")];
  } finally {
    await gateway.close();
  }
}
