import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import * as assert from "uvu/assert";
import { keepUnsentReplies } from "../../services/platform/unsent-replies.ts";
import { eventually } from "../support/eventually.ts";
import { listen, stopListening } from "../support/listen.ts";
import { suite } from "../support/suite.ts";

const Unsent = suite("unsent replies");
/** Bytes that the system does not take at once. */
const size = 16 * 1024 * 1024;

Unsent("are sent in full, however often idle connections are closed meanwhile", async () => {
  const server = createServer({ keepAliveTimeout: 0 }, (_request, response) => void response.end(Buffer.alloc(size)));
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
  assert.ok(length > size, `${length} bytes`);
  await eventually("its end", async () => socket.destroyed);
  client.destroy();
  await stopListening(server);
});

Unsent("that have not ended yet are cut when their connection is destroyed after idle ones were closed", async () => {
  const server = createServer((_request, response) => void response.write(Buffer.alloc(size)));
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
