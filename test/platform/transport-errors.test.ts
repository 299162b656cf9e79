import net from "node:net";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { serveRpc } from "../../services/platform/connect/server.ts";
import { createLog } from "../../services/platform/log.ts";
import { listen } from "../support/listen.ts";
import { suite } from "../support/suite.ts";

const TransportErrors = suite("transport errors");

async function codesOf(baseUrl: string, calls: number): Promise<string[]> {
  const { transport, close } = createServiceTransport({ baseUrl, caller: "test", deadlineMs: 5_000 });
  const client = createClient(SocialService, transport);
  const codes = new Set<string>();
  for (let call = 0; call < calls; call++) {
    const answer = await client.socialUsers({ userIds: [1n] }).then(
      () => "Ok",
      (error: unknown) => Code[ConnectError.from(error).code] as string,
    );
    codes.add(answer);
  }
  close();
  return [...codes].toSorted();
}

async function codesBehind(answer: (socket: net.Socket) => void, calls = 1): Promise<string[]> {
  const server = net.createServer((socket) => answer(socket.on("error", () => {})));
  const port = await listen(server);
  try {
    return await codesOf(`http://127.0.0.1:${port}`, calls);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
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
  const service = await serveRpc({ host: "127.0.0.1", port: 0, log: createLog("test", "silent") }, (router) =>
    router.service(SocialService, {
      socialUsers() {
        throw new Error("a defect");
      },
      socialTimelines: () => ({}),
    }),
  );
  assert.equal(await codesOf(service.url, 1), ["Internal"]);
  await service.close();
});

TransportErrors.run();
