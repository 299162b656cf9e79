import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import { type AddressInfo, connect, createConnection, createServer, type Socket } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import * as grpc from "@grpc/grpc-js";
import * as assert from "uvu/assert";
import {
  SocialService,
  type SocialUsersRequest,
  SocialUsersRequestSchema,
} from "../../proto/gen/social/v1/social_service_pb.ts";
import { serveRpc } from "../../services/platform/connect/server.ts";
import { notFound } from "../../services/platform/errors.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { createLog } from "../../services/platform/log.ts";
import { keepUnsentReplies } from "../../services/platform/unsent-replies.ts";
import { eventually } from "../support/eventually.ts";
import { listen, stopListening } from "../support/listen.ts";
import { valuesOf } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { suite } from "../support/suite.ts";

const Server = suite("rpc server");
const log = createLog("test", "silent");
let server: Running;
let release: (() => void) | undefined;

/** Bytes of a text that the system does not take at once. */
const longText = 8_000_000;

const start = () =>
  serveRpc({ host: "127.0.0.1", port: 0, log }, (router) =>
    router.service(SocialService, {
      async socialUsers(request: SocialUsersRequest) {
        if (request.screenNames[0] === "wait") {
          await new Promise<void>((resolve) => {
            release = resolve;
          });
        }
        if (request.screenNames[0] === "long") return { results: [{ description: "x".repeat(longText) }] };
        return { results: request.screenNames.map((screenName) => ({ screenName })) };
      },
      socialTimelines(request) {
        if (request.screenName === "missing") throw notFound("There is no user of that name.");
        throw new Error(`secret of ${request.screenName}`);
      },
    }),
  );

Server.before(async () => {
  server = await start();
});
Server.after(() => server.close());

const transports = {
  Connect: () => createConnectTransport({ baseUrl: server.url, httpVersion: "1.1" }),
  "Connect over HTTP/2": () => createConnectTransport({ baseUrl: server.url, httpVersion: "2" }),
  gRPC: () => createGrpcTransport({ baseUrl: server.url }),
  "gRPC-Web": () => createGrpcWebTransport({ baseUrl: server.url, httpVersion: "1.1" }),
};

for (const [name, transport] of Object.entries(transports)) {
  Server(`answers ${name} on the same port`, async () => {
    const client = createClient(SocialService, transport());
    const { results } = await client.socialUsers({ screenNames: ["a", "b"] });
    assert.equal(valuesOf(results, "screenName"), ["a", "b"]);
    const refusal = await refusalOf(client.socialTimelines({ screenName: "missing" }));
    assert.is(`${refusal.code} ${refusal.errorCode}`, "NotFound NotFound");
  });
}

const tooLong = 5 * 1024 * 1024;

for (const name of ["Connect", "Connect over HTTP/2", "gRPC-Web"] as const) {
  Server(`answers further calls of a ${name} client on its connection after messages that are too long`, async () => {
    const client = createClient(SocialService, transports[name]());
    for (let call = 0; call < 4; call++) {
      const refusal = await client.socialUsers({ screenNames: ["x".repeat(tooLong)] }).catch(ConnectError.from);
      assert.is((refusal as ConnectError).code, Code.ResourceExhausted, `${refusal}`);
      const { results } = await client.socialUsers({ screenNames: ["short"] }, { timeoutMs: 30_000 });
      assert.is(results.length, 1);
    }
  });
}

Server("resets the stream of a gRPC message that is too long, and answers further calls", async () => {
  // MiB; of what the client has not sent yet, which is each message.
  const session = http2.connect(server.url, { maxSessionMemory: 64 });
  const request = (size: number) => {
    const path = "/social.v1.SocialService/SocialUsers";
    const head = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
    const stream = session.request(head);
    const length = Buffer.alloc(5);
    length.writeUInt32BE(size, 1);
    stream.write(length);
    // Whether this write succeeds depends on the Node: some report the reset that follows the answer.
    stream.write(Buffer.alloc(size));
    stream.resume();
    return stream;
  };
  const statusOf = async (stream: http2.ClientHttp2Stream) =>
    Number(((await once(stream, "trailers")) as [http2.IncomingHttpHeaders])[0]["grpc-status"]);
  for (let call = 0; call < 4; call++) {
    // The client does not end its stream.
    const stream = request(tooLong);
    assert.is(await statusOf(stream), grpc.status.RESOURCE_EXHAUSTED);
    if (!stream.closed) await once(stream, "close");
    assert.is(stream.rstCode, http2.constants.NGHTTP2_NO_ERROR);
    const short = request(0);
    short.end();
    assert.is(await statusOf(short), grpc.status.OK);
  }
  session.close();
});

Server("does not send the message of a defect", async () => {
  const client = createClient(SocialService, transports.Connect());
  const error = await client.socialTimelines({ screenName: "x" }).catch((reason: Error) => reason);
  assert.is((error as Error).message, "[internal] internal error");
});

Server("lets a call under way finish when it closes, and does not wait for idle connections", async () => {
  const own = await start();
  const idle = createConnection(Number(new URL(own.url).port), "127.0.0.1");
  idle.on("error", () => {});
  idle.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  await new Promise((resolve) => idle.once("data", resolve));
  const client = createClient(SocialService, createConnectTransport({ baseUrl: own.url, httpVersion: "1.1" }));
  const call = client.socialUsers({ screenNames: ["wait"] });
  while (release === undefined) await new Promise((resolve) => setImmediate(resolve));
  const closed = own.close();
  release();
  assert.is((await call).results.length, 1);
  await closed;
});

Server("sends in full a long reply that is being read when it closes", async () => {
  const own = await start();
  const socket = createConnection(Number(new URL(own.url).port), "127.0.0.1");
  const body = toBinary(SocialUsersRequestSchema, create(SocialUsersRequestSchema, { screenNames: ["long"] }));
  const head =
    "POST /social.v1.SocialService/SocialUsers HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/proto\r\n";
  socket.write(`${head}connect-protocol-version: 1\r\ncontent-length: ${body.length}\r\n\r\n`);
  socket.write(body);
  await once(socket, "readable");
  const closed = own.close();
  await new Promise((resolve) => setTimeout(resolve, 200));
  let length = 0;
  for await (const bytes of socket) length += (bytes as Buffer).length;
  assert.ok(length > longText, `${length} bytes`);
  await closed;
});

Server("has callers connect again after 10,000 calls", async () => {
  const { headers } = await fetch(server.url);
  assert.match(headers.get("keep-alive") ?? "", "max=10000");
});

Server("detects the protocol also when its first bytes arrive in pieces", async () => {
  const socket = createConnection(Number(new URL(server.url).port), "127.0.0.1");
  socket.setNoDelay(true);
  for (const piece of ["P", "OST", " /nowhere HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n"]) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const [reply] = await new Promise<[Buffer]>((resolve) => socket.once("data", (chunk: Buffer) => resolve([chunk])));
  socket.destroy();
  assert.match(reply.toString(), /^HTTP\/1\.1 404/);
});

Server("keeps serving after bytes of an unknown protocol, and after connections that are reset", async () => {
  const open = () => createConnection(Number(new URL(server.url).port), "127.0.0.1").on("error", () => {});
  for (const bytes of ["PRI * HTTP/2.0\r\n\r\nXX\r\n\r\nnonsense", "\u0000\u0001\u0002", "GET"]) {
    const socket = open().resume().end(bytes);
    await new Promise((resolve) => socket.once("close", resolve));
  }
  // Whatever it knows of their protocol.
  for (const bytes of ["P", "POST / HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]) {
    const socket = open();
    socket.write(bytes);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.resetAndDestroy();
    await new Promise((resolve) => socket.once("close", resolve));
  }
  const { results } = await createClient(SocialService, transports.gRPC()).socialUsers({ screenNames: ["still"] });
  assert.is(results.length, 1);
});

Server("is not serving during drainMs, and closes keep-alive connections in its second half", async () => {
  const leaving = await serveRpc({ host: "127.0.0.1", port: 0, log, drainMs: 2_000 }, () => {});
  const url = `${leaving.url}/grpc.health.v1.Health/Check`;
  const check = async () => {
    const request = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    const response = await fetch(url, request);
    return [((await response.json()) as { status: string }).status, response.headers.get("connection")];
  };
  assert.equal(await check(), ["SERVING", "keep-alive"]);
  const closed = leaving.close();
  assert.equal(await check(), ["NOT_SERVING", "keep-alive"]);
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  assert.equal(await check(), ["NOT_SERVING", "close"]);
  await closed;
});

Server("serves streams that were on the way when it told HTTP/2 clients to open no more", async () => {
  const leaving = await serveRpc({ host: "127.0.0.1", port: 0, log, drainMs: 2_000 }, () => {});
  // On the way back, while it is held, what the server sends waits.
  const held: Buffer[] = [];
  let isHeld = false;
  const way = createServer((from) => {
    const to = createConnection(Number(new URL(leaving.url).port), "127.0.0.1");
    from.pipe(to).on("data", (bytes: Buffer) => (isHeld ? held.push(bytes) : from.write(bytes)));
    way.once("release", () => from.write(Buffer.concat(held)));
    to.once("close", () => from.end());
  });
  await once(way.listen(0, "127.0.0.1"), "listening");
  const session = http2.connect(`http://127.0.0.1:${(way.address() as AddressInfo).port}`);
  const check = () => {
    const path = "/grpc.health.v1.Health/Check";
    const call = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
    const stream = session.request(call);
    stream.end(Buffer.alloc(5)).resume();
    return once(stream, "trailers");
  };
  try {
    await check();
    isHeld = true;
    const closed = leaving.close();
    await eventually("word of the end", async () => held.length > 0);
    isHeld = false;
    const onTheWay = check();
    await new Promise((resolve) => setImmediate(resolve));
    way.emit("release");
    assert.equal(await once(session, "goaway"), [0, 2 ** 31 - 1, undefined]);
    const [{ "grpc-status": status }] = (await onTheWay) as [Record<string, string>];
    assert.is(status, "0");
    await closed;
  } finally {
    session.destroy();
    way.close();
  }
});

Server.run();

const Unsent = suite("unsent replies");

Unsent("are sent in full, however often idle connections are closed meanwhile", async () => {
  const server = http.createServer(
    { keepAliveTimeout: 0 },
    (_request, response) => void response.end(Buffer.alloc(2 * longText)),
  );
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  keepUnsentReplies(server, sockets);
  // A client that does not end its side either: the server's socket is destroyed all the same.
  const client = connect({ port: await listen(server), host: "127.0.0.1", allowHalfOpen: true });
  client.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  await once(client, "readable");
  const [socket] = [...sockets] as [Socket];
  await eventually("the connection counts as idle", async () => {
    server.closeIdleConnections();
    return socket.writableEnded;
  });
  assert.ok(socket.writableLength > 0);
  const listeners = () => socket.eventNames().map((name) => [name, socket.listenerCount(name)]);
  const before = listeners();
  for (let time = 0; time < 20; time++) server.closeIdleConnections();
  assert.equal(listeners(), before);
  let length = 0;
  client.on("data", (bytes: Buffer) => (length += bytes.length));
  await once(client, "end");
  assert.ok(length > 2 * longText, `${length} bytes`);
  await eventually("its end", async () => socket.destroyed);
  client.destroy();
  await stopListening(server);
});

Unsent("are cut when their connection is destroyed after idle ones were closed", async () => {
  const server = http.createServer((_request, response) => void response.write(Buffer.alloc(2 * longText)));
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  keepUnsentReplies(server, sockets);
  const client = connect(await listen(server), "127.0.0.1");
  client.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  await once(client, "readable");
  server.closeIdleConnections();
  const [socket] = [...sockets] as [Socket];
  assert.ok(socket.writableLength > 0 && !socket.writableEnded);
  socket.destroy();
  assert.ok(socket.destroyed);
  client.destroy();
  await stopListening(server);
});

Unsent.run();
