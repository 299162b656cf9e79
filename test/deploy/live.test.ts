import { once } from "node:events";
import { connect } from "node:http2";
import https from "node:https";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { type Person, person, publish } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import { isInstalled, type Proxy, type ProxyName, startProxy } from "./start-proxy.ts";

const hasOpenssl = isInstalled("openssl");
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
      const stream = await open(proxy, `/social/${ann.name}/timelines/live`);
      try {
        assert.match(stream.type(), "text/event-stream");
        await eventually("the first block", async () => stream.text().startsWith("id: "));
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

async function openFirst({ port }: Proxy, path: string): Promise<Opened> {
  const request = https.get({ host: "127.0.0.1", port, path, rejectUnauthorized: false, agent: false });
  const [response] = (await once(request, "response")) as [import("node:http").IncomingMessage];
  return read(response, `${response.headers["content-type"]}`, () => request.destroy());
}

async function openSecond({ origin }: Proxy, path: string): Promise<Opened> {
  const session = connect(origin, { rejectUnauthorized: false });
  const request = session.request({ ":path": path });
  const [headers] = (await once(request, "response")) as [import("node:http2").IncomingHttpHeaders];
  return read(request, `${headers["content-type"]}`, () => session.destroy());
}

function read(stream: NodeJS.ReadableStream, type: string, close: () => void): Opened {
  let [text, isEnded] = ["", false];
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => (text += chunk));
  stream.on("end", () => (isEnded = true));
  stream.on("error", () => {});
  return { type: () => type, text: () => text, isEnded: () => isEnded, close };
}
