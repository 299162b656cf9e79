import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { getEventListeners } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import net, { type Socket } from "node:net";
import { Code, ConnectError, createClient, type ServiceImpl, type Transport } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { serveRpc } from "../../services/platform/connect/server.ts";
import { createLog } from "../../services/platform/log.ts";
import { eventually } from "../support/eventually.ts";
import { listen, stopListening } from "../support/listen.ts";
import { valuesOf } from "../support/people.ts";
import { suite } from "../support/suite.ts";

const Client = suite("service client");
const request = { userIds: [1n] };

/** What `work` comes to with the transport to a server that answers so. */
async function withServer<T>(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  work: (transport: Transport) => Promise<T>,
  path = "",
): Promise<T> {
  const server = http.createServer(answer);
  const baseUrl = `http://127.0.0.1:${await listen(server)}${path}`;
  const { transport, close } = createServiceTransport({ baseUrl, caller: "test", serviceToken: "a token" });
  try {
    return await work(transport);
  } finally {
    close();
    await stopListening(server);
  }
}

/** What `work` comes to with the transport to a service of ours. */
async function withService<T>(
  methods: Partial<ServiceImpl<typeof SocialService>>,
  work: (transport: Transport) => Promise<T>,
): Promise<T> {
  const service = await serveRpc({ host: "127.0.0.1", port: 0, log: createLog("test", "silent") }, (router) =>
    router.service(SocialService, methods),
  );
  const { transport, close } = createServiceTransport({ baseUrl: service.url, caller: "test", deadlineMs: 5_000 });
  try {
    return await work(transport);
  } finally {
    close();
    await service.close();
  }
}

const empty = (_request: IncomingMessage, response: ServerResponse) =>
  response.setHeader("content-type", "application/proto").end();

function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "Ok",
    (error: unknown) => Code[ConnectError.from(error).code] as string,
  );
}

Client("sends what it is, who calls, the token, the deadline and the caller's headers, on one connection", async () => {
  const seen: IncomingMessage[] = [];
  const ports = new Set<number | undefined>();
  const note = (request: IncomingMessage, response: ServerResponse) => {
    seen.push(request);
    ports.add(request.socket.remotePort);
    empty(request, response);
  };
  const work = async (transport: Transport) => {
    const options = { headers: { "roost-viewer": "7" }, timeoutMs: 1_234.5 };
    for (let call = 0; call < 3; call++) await createClient(SocialService, transport).socialUsers(request, options);
  };
  await withServer(note, work, "/behind/a/proxy");
  assert.is(ports.size, 1);
  assert.is(seen[0]?.url, "/behind/a/proxy/social.v1.SocialService/SocialUsers");
  const { host, connection, "user-agent": _userAgent, ...headers } = seen[0]?.headers ?? {};
  assert.match(host ?? "", "127.0.0.1");
  assert.is(connection, "keep-alive");
  assert.equal(headers, {
    "connect-protocol-version": "1",
    "connect-timeout-ms": "1235",
    "content-type": "application/proto",
    "roost-caller": "test",
    "roost-service-token": "a token",
    "roost-viewer": "7",
    "transfer-encoding": "chunked",
  });
});

Client("ends a call at its deadline, or when its signal is aborted, and closes its connection", async () => {
  let closed = 0;
  const count = (request: IncomingMessage) => void request.socket.once("close", () => closed++);
  await withServer(count, async (transport) => {
    const { socialUsers } = createClient(SocialService, transport);
    assert.is(await codeOf(socialUsers(request, { timeoutMs: 50 })), "DeadlineExceeded");
    const controller = new AbortController();
    const call = codeOf(socialUsers(request, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 50);
    assert.is(await call, "Canceled");
    assert.is(await codeOf(socialUsers(request, { signal: AbortSignal.abort() })), "Canceled");
    while (closed < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  });
});

Client("ends the signal of a handler at the deadline, and when its caller leaves", async () => {
  const signals: AbortSignal[] = [];
  const untilAborted: ServiceImpl<typeof SocialService>["socialUsers"] = (_request, { signal }) =>
    new Promise((_resolve, reject) => {
      signals.push(signal);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  await withService({ socialUsers: untilAborted }, async (transport) => {
    const { socialUsers } = createClient(SocialService, transport);
    const late = codeOf(socialUsers(request, { timeoutMs: 2_000 }));
    const leaving = new AbortController();
    const left = codeOf(socialUsers(request, { signal: leaving.signal, timeoutMs: 60_000 }));
    await eventually("both calls", async () => signals.length === 2);
    leaving.abort();
    assert.equal([await late, await left], ["DeadlineExceeded", "Canceled"]);
    await eventually("the end of both signals", async () => signals.every(({ aborted }) => aborted));
  });
});

Client("leaves no listener on the signal of a caller whose calls have ended", async () => {
  const { signal } = new AbortController();
  await withServer(empty, async (transport) => {
    for (let call = 0; call < 3; call++) await createClient(SocialService, transport).socialUsers(request, { signal });
    await eventually("no listener", async () => getEventListeners(signal, "abort").length === 0);
  });
});

Client("closes an idle connection well before the service does", async () => {
  const sockets: Socket[] = [];
  const note = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);
  const timeouts = await withService({ socialUsers: () => ({}) }, async (transport) => {
    subscribe("net.client.socket", note);
    await createClient(SocialService, transport).socialUsers(request);
    unsubscribe("net.client.socket", note);
    return valuesOf(sockets, "timeout");
  });
  assert.equal(timeouts, [30_000]);
});

Client.run();

const TransportErrors = suite("transport errors");

async function codesBehind(answer: (socket: net.Socket) => void, calls = 1): Promise<string[]> {
  const server = net.createServer((socket) => answer(socket.on("error", () => {})));
  const baseUrl = `http://127.0.0.1:${await listen(server)}`;
  const { transport, close } = createServiceTransport({ baseUrl, caller: "test", deadlineMs: 5_000 });
  const client = createClient(SocialService, transport);
  const codes = new Set<string>();
  for (let call = 0; call < calls; call++) codes.add(await codeOf(client.socialUsers(request)));
  close();
  await stopListening(server);
  return [...codes].toSorted();
}

TransportErrors("is Unavailable when connections end at once, whatever Node's error", async () => {
  // EPIPE or ECONNRESET, depending on the moment: both occur among so many connections.
  assert.equal(await codesBehind((socket) => socket.destroy(), 500), ["Unavailable"]);
});

// What an unavailable service makes of a request is in test/outages/dependencies.test.ts; these are further replies of balancers.
const replies = {
  "is compressed": "200 OK\r\nContent-Type: application/proto\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n",
  "is a 400 in HTML": "400 Bad Request\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n",
  "is JSON of another program":
    '500 Internal Server Error\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{"error":"why"}',
  "is a 502 that is no JSON": "502 Bad Gateway\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\ngarbage",
};
for (const [what, reply] of Object.entries(replies)) {
  TransportErrors(`is Unavailable when the reply ${what}`, async () => {
    const answer = (socket: net.Socket) => void socket.once("data", () => socket.end(`HTTP/1.1 ${reply}`));
    assert.equal(await codesBehind(answer), ["Unavailable"]);
  });
}

TransportErrors("is not meant by an error that a service answers itself", async () => {
  const broken = () => {
    throw new Error("a defect");
  };
  const code = await withService({ socialUsers: broken }, (transport) =>
    codeOf(createClient(SocialService, transport).socialUsers(request)),
  );
  assert.is(code, "Internal");
});

TransportErrors.run();
