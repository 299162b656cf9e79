import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { getEventListeners } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import net, { type Socket } from "node:net";
import { Code, ConnectError, createClient, type ServiceImpl, type Transport } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { ResponseStatusSchema } from "../../proto/gen/contract/v1/response_status_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { serveRpc } from "../../services/platform/connect/server.ts";
import { notFound } from "../../services/platform/errors.ts";
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
  baseUrl = (port: number) => `http://127.0.0.1:${port}`,
): Promise<T> {
  const server = http.createServer(answer);
  const url = baseUrl(await listen(server));
  const { transport, close } = createServiceTransport({ baseUrl: url, caller: "test", serviceToken: "a token" });
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

Client("sends what it is, who calls, the token, the deadline and the caller's headers", async () => {
  const seen: IncomingMessage[] = [];
  const note = (request: IncomingMessage, response: ServerResponse) => {
    seen.push(request);
    empty(request, response);
  };
  await withServer(
    note,
    async (transport) => {
      const options = { headers: { "roost-viewer": "7" }, timeoutMs: 1_234.5 };
      await createClient(SocialService, transport).socialUsers(request, options);
    },
    (port) => `http://127.0.0.1:${port}/behind/a/proxy`,
  );
  assert.equal(valuesOf(seen, "url"), ["/behind/a/proxy/social.v1.SocialService/SocialUsers"]);
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

Client("uses a connection again, and gives the reply's headers", async () => {
  const ports = new Set<number | undefined>();
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    ports.add(request.socket.remotePort);
    empty(request, response.setHeader("set-cookie", ["a=1", "b=2"]).setHeader("roost-session", "s"));
  };
  const header = await withServer(answer, async (transport) => {
    for (let call = 0; call < 3; call++) await createClient(SocialService, transport).socialUsers(request);
    return (await transport.unary(SocialService.method.socialUsers, undefined, undefined, undefined, request)).header;
  });
  assert.is(ports.size, 1);
  assert.equal([header.get("roost-session"), header.getSetCookie()], ["s", ["a=1", "b=2"]]);
});

Client("returns the error that the service answers, with its details and headers", async () => {
  const refuse: ServiceImpl<typeof SocialService>["socialUsers"] = (_request, { responseHeader }) => {
    responseHeader.set("retry-after", "3");
    throw notFound("There is no user.");
  };
  const error = await withService({ socialUsers: refuse }, (transport) =>
    createClient(SocialService, transport).socialUsers(request).catch(ConnectError.from),
  );
  assert.instance(error, ConnectError);
  const { code, metadata } = error as ConnectError;
  assert.equal([code, metadata.get("retry-after")], [Code.NotFound, "3"]);
  assert.is((error as ConnectError).findDetails(ResponseStatusSchema)[0]?.message, "There is no user.");
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

const head = (type: string, length: number) =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
const replies: [what: string, bytes: string][] = [
  ["is not HTTP", "garbage\r\n\r\n"],
  ["is HTML", `${head("text/html", 7)}garbage`],
  ["is an invalid message", `${head("application/proto", 7)}garbage`],
  ["is cut off", head("application/proto", 100)],
  ["is compressed", head("application/proto", 0).replace("Content-T", "Content-Encoding: gzip\r\nContent-T")],
  ["is of another status, in HTML", head("text/html", 0).replace("200 OK", "400 Bad Request")],
  [
    "is JSON of another program",
    `${head("application/json", 15)}{"error":"why"}`.replace("200 OK", "500 Internal Server Error"),
  ],
  ["is a 502 with a body of type JSON", `${head("application/json", 7)}garbage`.replace("200 OK", "502 Bad Gateway")],
];
for (const [what, bytes] of replies) {
  TransportErrors(`is Unavailable when the reply ${what}`, async () => {
    assert.equal(await codesBehind((socket) => void socket.once("data", () => socket.end(bytes, "latin1"))), [
      "Unavailable",
    ]);
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
