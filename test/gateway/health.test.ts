import { subscribe, unsubscribe } from "node:diagnostics_channel";
import http from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";

const Suite = suite("gateway health");
let gateway: FakeGateway;
Suite.before.each(async () => {
  gateway = await startFakeGateway();
});
Suite.after.each(() => gateway.stop());

const serving = () => ({ status: Status.SERVING });

async function readiness() {
  const { status, headers, text } = await gateway.send({ path: "/readyz" });
  return { status, retryAfter: headers["retry-after"], body: JSON.parse(text) as Record<string, unknown> };
}

Suite("is alive whatever the services' health, and ready when they are serving", async () => {
  assert.equal(await readiness(), { status: 200, retryAfter: undefined, body: { ready: true, reasons: [] } });
  gateway.answers.check = () => ({ status: Status.NOT_SERVING });
  const { status, text, headers } = await gateway.send({ path: "/livez" });
  assert.equal([status, text, headers["cache-control"]], [200, '{"alive":true}', "no-store"]);
});

Suite("reports why it is not ready, also in the error shape, without the services' texts", async () => {
  const answers = [() => ({ status: Status.NOT_SERVING }), () => refuse()];
  gateway.answers.check = () => (answers.shift() ?? serving)();
  const { status, retryAfter, body } = await readiness();
  const reasons = ["account: not serving", "social: no answer"];
  const message = `Not ready: ${reasons.join("; ")}.`;
  assert.equal([status, retryAfter], [503, "1"]);
  assert.equal(body, { ready: false, reasons, responseStatus: { errorCode: "ServiceUnavailable", message } });
  assert.is((await readiness()).status, 200);
});

Suite("checks the services once for all concurrent requests", async () => {
  let checks = 0;
  let answer = () => {};
  gateway.answers.check = () => {
    checks++;
    return new Promise((resolve) => {
      const before = answer;
      answer = () => {
        before();
        resolve(serving());
      };
    });
  };
  let received = 0;
  const count = () => void received++;
  subscribe("http.server.request.start", count);
  const replies = Promise.all(Array.from({ length: 20 }, () => readiness()));
  await eventually("all requests are there", async () => received === 20 && checks >= 2);
  unsubscribe("http.server.request.start", count);
  answer();
  assert.ok((await replies).every(({ status }) => status === 200));
  assert.is(checks, 2);
});

Suite("makes each cached read once before it is first ready, and none while its services are not", async () => {
  gateway.answers.check = () => ({ status: Status.NOT_SERVING });
  assert.is((await readiness()).status, 503);
  assert.equal(gateway.calls, []);
  gateway.answers.check = serving;
  for (let round = 0; round < 2; round++) assert.is((await readiness()).status, 200);
  assert.equal(gateway.calls.map(({ operation }) => operation).sort(), ["SocialTimelines", "SocialUsers"]);
});

Suite("is ready though the reads before fail", async () => {
  gateway.answers.socialUsers = () => refuse();
  gateway.answers.socialTimelines = () => {
    throw new ConnectError("no user has this name", Code.NotFound);
  };
  assert.is((await readiness()).status, 200);
});

Suite("answers GET and HEAD at its two paths without regard to case, and wraps JSONP calls", async () => {
  const ask = async (method: string, path: string) => {
    const { status, text, headers } = await gateway.send({ method, path });
    return [status, text.slice(0, 12), headers.allow];
  };
  assert.equal(await ask("HEAD", "/readyz"), [200, "", undefined]);
  assert.equal(await ask("GET", "/LiveZ/"), [200, '{"alive":tru', undefined]);
  assert.equal(await ask("POST", "/livez"), [405, '{"responseSt', "GET, HEAD"]);
  assert.equal(await ask("GET", "/livez/x"), [404, '{"responseSt', undefined]);
  assert.equal(await ask("GET", "/readyz?callback=f"), [200, 'f({"ready":t', undefined]);
});

Suite("is not ready while it stops, though it still serves", async () => {
  const stopping = await startFakeGateway({ drainMs: 2_000 });
  const agent = new http.Agent({ keepAlive: true });
  const stopped = stopping.stop();
  const [ready, users] = await Promise.all(
    ["/readyz", "/social/a"].map(
      (path) =>
        new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
          const request = http.get(`${stopping.url}${path}`, { agent }, async (response) => {
            let text = "";
            for await (const chunk of response) text += chunk;
            resolve({ status: response.statusCode, text });
          });
          request.on("error", reject);
        }),
    ),
  );
  assert.equal([ready?.status, users?.status], [503, 200]);
  assert.match(ready?.text ?? "", '"reasons":["gateway: stopping"]');
  agent.destroy();
  await stopped;
});

Suite.run();

function refuse(): never {
  throw new ConnectError("connect ECONNREFUSED 10.9.8.7:4002", Code.Unavailable);
}
