import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { connect } from "node:http2";
import https from "node:https";
import { text } from "node:stream/consumers";
import type { Browser } from "playwright-core";
import * as assert from "uvu/assert";
import { addressHeader } from "../../services/platform/connect/identity.ts";
import { type FakeGateway, startFakeGateway } from "../gateway/fake-gateway.ts";
import { joinBrowser, leaveBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { type Person, password, person, publish } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import { isInstalled, type Proxy, type ProxyName, startProxy } from "./start-proxy.ts";

const hasOpenssl = isInstalled("openssl");
for (const name of ["nginx", "caddy", "haproxy"] as const satisfies ProxyName[]) {
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
    const options = {
      method,
      path,
      host: "127.0.0.1",
      port,
      headers: { origin, ...headers },
      rejectUnauthorized: false,
    };
    const request = https.request(options).end(body);
    const [reply] = (await once(request, "response")) as [import("node:http").IncomingMessage];
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
    const forged = {
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-proto": "http",
      "x-forwarded-host": "evil.example",
    };
    const made = await send("POST", "/register", '{"userName":"ann"}', forged);
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

const Pages = suite("the page behind a proxy, in Chromium");
const programs = hasOpenssl ? (["nginx", "caddy", "haproxy"] as const).filter(isInstalled) : [];
const browser = programs.length > 0 ? await joinBrowser() : undefined;
const test = browser === undefined ? Pages.skip : Pages;
if (browser !== undefined) Pages.after(leaveBrowser);

test("signs a user in behind each of them", async () => {
  const system = await startTestSystem({ TRUST_PROXY: "loopback" });
  try {
    await system.clients.account.registration({ userName: "ann", password });
    for (const program of programs) {
      const proxy = await startProxy(program, Number(new URL(system.url).port));
      const context = await (browser as Browser).newContext({ ignoreHTTPSErrors: true });
      try {
        const page = await context.newPage();
        await page.goto(`${proxy.origin}/sign-in`);
        await page.getByLabel("User name or e-mail").fill("@ann");
        await page.getByLabel("Password").fill(password);
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.waitForURL(`${proxy.origin}/`);
        const cookies = await context.cookies();
        assert.equal(
          cookies.map(({ name, secure, httpOnly }) => ({ name, secure, httpOnly })),
          [{ name: "ss-id", secure: true, httpOnly: true }],
          program,
        );
      } finally {
        await context.close();
        await proxy.stop();
      }
    }
  } finally {
    await system.stop();
  }
});

Pages.run();

for (const name of ["nginx", "caddy", "haproxy"] as const satisfies ProxyName[]) {
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
      const stream = open(proxy, `/social/${ann.name}/timelines/live`);
      try {
        await eventually("the first block", async () => stream.text().startsWith("id: "));
        assert.match(stream.type(), "text/event-stream");
        for (let index = 1; index <= 5; index++) {
          await publish(system, ann, `${version} ${index}`);
          await eventually("an event", async () => stream.text().includes(`"text":"${version} ${index}"`));
        }
        assert.not.ok(stream.isEnded());
      } finally {
        stream.close();
      }
    });
  }

  Behind.run();
}

interface Opened {
  type(): string;
  /** What has come. */
  text(): string;
  isEnded(): boolean;
  close(): void;
}

function openFirst({ port }: Proxy, path: string): Opened {
  const request = https.get({ host: "127.0.0.1", port, path, rejectUnauthorized: false, agent: false });
  const response = once(request, "response").then(([response]: IncomingMessage[]) => {
    return { stream: response as IncomingMessage, headers: (response as IncomingMessage).headers };
  });
  return read(response, () => request.destroy());
}

function openSecond({ origin }: Proxy, path: string): Opened {
  const session = connect(origin, { rejectUnauthorized: false });
  const request = session.request({ ":path": path });
  const response = once(request, "response").then(([headers]: IncomingHttpHeaders[]) => {
    return { stream: request, headers: headers as IncomingHttpHeaders };
  });
  return read(response, () => session.destroy());
}

/** Does not wait: a proxy that keeps events back may keep the head back, too. */
function read(
  response: Promise<{ stream: NodeJS.ReadableStream; headers: IncomingHttpHeaders }>,
  close: () => void,
): Opened {
  let [type, text, isEnded] = ["", "", false];
  const begin = async () => {
    const { stream, headers } = await response;
    type = `${headers["content-type"]}`;
    stream.setEncoding("utf8");
    stream.on("data", (chunk: string) => (text += chunk));
    stream.on("end", () => (isEnded = true));
    stream.on("error", () => {});
  };
  begin().catch(() => (isEnded = true));
  return { type: () => type, text: () => text, isEnded: () => isEnded, close };
}
