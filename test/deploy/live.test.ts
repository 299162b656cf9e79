import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
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
