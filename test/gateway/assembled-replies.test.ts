// Bodies that are assembled in memory that is used again: no client may get bytes of another reply.
import { once } from "node:events";
import { createServer } from "node:http";
import net from "node:net";
import * as assert from "uvu/assert";
import { maxBytesAssembled } from "../../gateway/http/limits/limits.ts";
import { mayAssemble, sendAssembled } from "../../gateway/http/replies/assembled-replies.ts";
import { NodeReplyWriter } from "../../gateway/http/replies/reply-writer.ts";
import { JsonList } from "../../gateway/rendering/assembled-bytes.ts";
import { eventually } from "../support/eventually.ts";
import { listen } from "../support/listen.ts";
import { suite } from "../support/suite.ts";

const Assembled = suite("gateway replies that are assembled");

/** Bytes of a body. */
const length = 300_000;

/** More than the system's buffers for one connection. */
const ahead = Buffer.alloc(8 * 1024 * 1024, "#");

Assembled("keep their bytes until a slow client has read them", async () => {
  await withServer(async (request) => {
    const slow = [await request("/a/slow"), await request("/b/slow")];
    for (const letter of "cdef") assert.is(lettersIn(await (await request(`/${letter}`)).read()), letter);
    assert.equal([lettersIn(await slow[0]?.read()), lettersIn(await slow[1]?.read())], ["a", "b"]);
  });
});

Assembled("use the memory of replies that were sent", () => {
  const buffers = new Set<ArrayBufferLike>();
  const writer = { write: (bytes: Buffer) => void buffers.add(bytes.buffer), onceSent: () => assert.unreachable() };
  for (const letter of "abcd") sendAssembled("", bodyOf(letter), new net.Socket(), writer);
  assert.is(buffers.size, 1);
});

Assembled("are not sent where they have another length", () => {
  class Wrong extends JsonList {
    override readonly length = 1_000;
  }
  const writer = { write: () => assert.unreachable(), onceSent: () => assert.unreachable() };
  assert.throws(() => sendAssembled("", new Wrong([]), new net.Socket(), writer), /another length/);
});

Assembled("count while clients have not taken them, until these read or leave", async () => {
  await withServer(async (request) => {
    const count = Math.ceil(maxBytesAssembled / length);
    const slow: Client[] = [];
    for (let index = 0; index < count; index++) {
      assert.ok(mayAssemble(), `${index} wait`);
      slow.push(await request("/a/slow"));
    }
    assert.not(mayAssemble());
    await slow.shift()?.read();
    await eventually("one has read", async () => mayAssemble());
    slow.push(await request("/a/slow"));
    assert.not(mayAssemble());
    slow.shift()?.leave();
    await eventually("one has left", async () => mayAssemble());
  });
});

Assembled.run();

function bodyOf(letter: string): JsonList {
  return new JsonList(Array.from({ length: 4 }, () => Buffer.alloc(length / 4, letter)));
}

/** The letters of a body. */
function lettersIn(body = ""): string {
  return [...new Set(body.replaceAll(/[[\],]/g, ""))].join("");
}

interface Client {
  /** The body. */
  read(): Promise<string>;
  leave(): void;
}

/** A server of bodies: `/LETTER`, with `/slow` behind other bytes that the client has to read first. @param use is given a function that sends a request and reads nothing */
async function withServer(use: (request: (target: string) => Promise<Client>) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    const [, letter = "", slow] = (request.url as string).split("/");
    const body = bodyOf(letter);
    if (slow !== undefined) request.socket.write(ahead);
    const head = ["content-length", `${body.length}`];
    new NodeReplyWriter(request, response, server.keepAliveTimeout).send(200, head, "", body);
  });
  const port = await listen(server);
  const clients: net.Socket[] = [];
  try {
    await use(async (target) => {
      const socket = net.connect({ port, host: "127.0.0.1" });
      clients.push(socket);
      await once(socket, "connect");
      const served = once(server, "request");
      socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      await served;
      return {
        async read() {
          const chunks: Buffer[] = [];
          for await (const chunk of socket) chunks.push(chunk as Buffer);
          return Buffer.concat(chunks).toString("latin1").split("\r\n\r\n")[1] ?? "";
        },
        leave: () => socket.destroy(),
      };
    });
  } finally {
    for (const socket of clients) socket.destroy();
    server.close();
  }
}
