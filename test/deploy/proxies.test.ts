import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:http2";
import https from "node:https";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import * as assert from "uvu/assert";
import { addressHeader } from "../../services/platform/connect/identity.ts";
import { type FakeGateway, startFakeGateway } from "../gateway/fake-gateway.ts";
import { eventually } from "../support/eventually.ts";
import { type Person, person, publish } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import { isInstalled, type Proxy, type ProxyName, startProxy } from "./start-proxy.ts";

const hasOpenssl = isInstalled("openssl");
const names = ["nginx", "caddy", "haproxy"] as const satisfies ProxyName[];

for (const name of names) {
  const Behind = suite(`a gateway behind ${name}, by its file in deploy/`);
  const test = hasOpenssl && isInstalled(name) ? Behind : Behind.skip;
  let gateway: FakeGateway;
  let proxy: Proxy | undefined;

  if (test === Behind) {
    Behind.before(async () => {
      gateway = await startFakeGateway({ trustProxy: ["loopback"] });
      gateway.answers.getSession = ({ sessionId }) => (sessionId === "made" ? { userId: 77n } : {});
      gateway.answers.registration = (_request, { responseHeader }) => {
        responseHeader.set("roost-session", "made; max-age=60");
        return { userId: 1n, sessionId: "made", userName: "ann", responseStatus: {} };
      };
      proxy = await startProxy(name, gateway.port);
    });
    Behind.after(async () => {
      await proxy?.stop();
      await gateway.stop();
    });
  }

  /** Sends a request through the proxy. @param headers by default those that the gateway's own page sends over plain http */
  async function send(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    const { origin, port } = proxy as Proxy;
    const options = { method, path, host: "127.0.0.1", port, rejectUnauthorized: false };
    const request = https.request({ ...options, headers: { origin, ...headers } }).end(body);
    const [reply] = (await once(request, "response")) as [IncomingMessage];
    return { status: reply.statusCode, names: reply.rawHeaders, headers: reply.headers, text: await text(reply) };
  }

  test("sets its own page a cookie, and takes it", async () => {
    const made = await send("POST", "/register", '{"userName":"ann"}');
    const cookie = "ss-id=made; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure";
    assert.equal([made.status, made.headers["set-cookie"]], [200, [cookie]], made.text);
    assert.ok(made.names.includes("Set-Cookie"), `${made.names}`);
    gateway.calls.length = 0;
    const written = await send("POST", "/timelines/publish", '{"text":"a"}', { cookie: "ss-id=made" });
    assert.is(written.status, 200, written.text);
    assert.is(gateway.calls[0]?.request.userId, 77n);
  });

  test("learns the client's address and scheme from the proxy, not from the client", async () => {
    gateway.calls.length = 0;
    const forged = { for: "203.0.113.9", proto: "http", host: "evil.example" };
    const headers = Object.fromEntries(Object.entries(forged).map(([what, value]) => [`x-forwarded-${what}`, value]));
    const made = await send("POST", "/register", '{"userName":"ann"}', headers);
    assert.match(made.headers["set-cookie"]?.[0] ?? "", "Secure");
    assert.is(gateway.calls[0]?.header.get(addressHeader), "127.0.0.1");
  });

  test("gets targets, long heads and bodies as they were sent, and refuses in its own shape", async () => {
    gateway.calls.length = 0;
    const long = Array.from({ length: 1_000 }, (_, index) => `${index}`.padStart(36, "n"));
    assert.is((await send("GET", `/social/a%2Fb,%C3%89?screenNames=${long.slice(0, 900).join("%2C")}`)).status, 200);
    const asked = gateway.calls.flatMap(({ request }) => request.screenNames as string[]);
    assert.equal(asked.toSorted(), long.slice(0, 900).toSorted());
    const body = JSON.stringify({ screenNames: long, padding: "x".repeat(900_000) });
    assert.is((await send("POST", "/json/reply/SocialUsers", body)).status, 200);
    for (const [method, path, given, status, code] of [
      ["POST", "/json/reply/SocialUsers", "x".repeat(1_100_000), 413, "RequestTooLarge"],
      ["GET", `/social/${"x".repeat(50_000)}`, undefined, 414, "RequestTooLarge"],
      ["GET", "/social//timelines", undefined, 404, "NotFound"],
      ["GET", "/api/Nothing", undefined, 405, "NotImplementedException"],
    ] as const) {
      const refused = await send(method, path, given);
      const error = JSON.parse(refused.text) as { responseStatus: { errorCode: string } };
      assert.equal([refused.status, error.responseStatus.errorCode], [status, code]);
    }
  });

  Behind.run();
}

for (const name of names) {
  const Behind = suite(`live streams behind ${name}, by its file in deploy/`);
  const test = hasOpenssl && isInstalled(name) ? Behind : Behind.skip;
  let system: TestSystem;
  let proxy: Proxy;
  let ann: Person;

  if (test === Behind) {
    Behind.before(async () => {
      system = await startTestSystem({ TRUST_PROXY: "loopback" });
      proxy = await startProxy(name, Number(new URL(system.url).port));
      ann = await person(system, "ann");
    });
    Behind.after(async () => {
      await proxy?.stop();
      await system.stop();
    });
  }

  for (const [version, open] of [["HTTP/1.1", openFirst] as const, ["HTTP/2", openSecond] as const]) {
    test(`pass each event on while the stream stays open, over ${version}`, async () => {
      const { stream, type, close } = open(proxy, `/social/${ann.name}/timelines/live`);
      let [received, isEnded] = ["", false];
      stream.setEncoding("utf8");
      stream.on("data", (chunk: string) => (received += chunk));
      stream.on("end", () => (isEnded = true));
      try {
        await eventually("the first block", async () => received.startsWith("id: "));
        assert.match(await type, "text/event-stream");
        for (let index = 1; index <= 5; index++) {
          await publish(system, ann, `${version} ${index}`);
          await eventually("an event", async () => received.includes(`"text":"${version} ${index}"`));
        }
        assert.not.ok(isEnded);
      } finally {
        close();
      }
    });
  }

  Behind.run();
}

/** A stream that may not have a head yet: a proxy that keeps events back may keep that back, too. */
interface Opened {
  stream: NodeJS.ReadableStream;
  type: Promise<string>;
  close(): void;
}

function openFirst({ port }: Proxy, path: string): Opened {
  const request = https.get({ host: "127.0.0.1", port, path, rejectUnauthorized: false, agent: false });
  const stream = new PassThrough();
  const type = once(request, "response").then(([response]: IncomingMessage[]) => {
    response?.pipe(stream);
    return `${response?.headers["content-type"]}`;
  });
  return { stream, type, close: () => request.destroy() };
}

function openSecond({ origin }: Proxy, path: string): Opened {
  const session = connect(origin, { rejectUnauthorized: false });
  const stream = session.request({ ":path": path });
  const type = once(stream, "response").then(([headers]) => `${headers["content-type"]}`);
  return { stream, type, close: () => session.destroy() };
}
