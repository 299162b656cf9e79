import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { startBaseline } from "../../bench/baselines/baseline.ts";
import { recordReplies, writeRecording } from "../../bench/baselines/recording.ts";
import { sendRequest } from "../../bench/load/send-request.ts";
import { listen } from "../support/listen.ts";
import { suite } from "../support/suite.ts";

const Servers = suite("bench servers");
const targets = ["/a?take=1", "/b,c"].map((path) => ({ path, headers: { "x-asked": path } }));

Servers("replays recorded replies byte for byte, and records only those with the expected status", async () => {
  const origin = createServer((request, response) => {
    response.writeHead(200, { "Content-Type": "application/json", ETag: `"${request.url}"`, Vary: "Origin" });
    response.end(Buffer.from(`{"asked":"${request.headers["x-asked"]}","odd":"\u00fc\ud83d\ude00"}`));
  });
  const url = `http://127.0.0.1:${await listen(origin)}`;
  const file = join(tmpdir(), `roost-test-recording-${process.pid}`);
  writeRecording(file, await recordReplies(url, targets, 200));
  const server = await startBaseline("node-http", file);
  try {
    for (const { path } of targets) {
      const original = await sendRequest(url, path, { "x-asked": path });
      const reply = await sendRequest(server.url, path, {});
      assert.is(reply.status, 200);
      assert.is(reply.body.toString("hex"), original.body.toString("hex"));
      assert.equal(fields(reply.headers), fields(original.headers));
    }
    assert.is((await sendRequest(server.url, "/elsewhere", {})).status, 404);
    const refusal = await recordReplies(url, targets, 304).then(
      () => "",
      (error: Error) => error.message,
    );
    assert.match(refusal, "answered 200 where 304 was expected");
  } finally {
    await server.stop();
    origin.closeAllConnections();
    origin.close();
    rmSync(file, { force: true });
  }
});

Servers("tells POSTs apart by their bodies", async () => {
  const origin = createServer((request, response) => void request.pipe(response));
  const url = `http://127.0.0.1:${await listen(origin)}`;
  const file = join(tmpdir(), `roost-test-posts-${process.pid}`);
  const bodies = ['[{"take":1}]', '[{"take":2}]'];
  writeRecording(
    file,
    await recordReplies(
      url,
      bodies.map((body) => ({ path: "/a[]", headers: {}, body })),
      200,
    ),
  );
  const server = await startBaseline("node-http", file);
  try {
    for (const body of bodies) assert.is((await sendRequest(server.url, "/a[]", {}, body)).body.toString(), body);
    assert.is((await sendRequest(server.url, "/a[]", {}, "[]")).status, 404);
  } finally {
    await server.stop();
    origin.closeAllConnections();
    origin.close();
    rmSync(file, { force: true });
  }
});

Servers.run();

/** Headers by name in lower case, without those that concern the connection. */
function fields(raw: readonly string[]): string[] {
  const lines = raw.flatMap((name, index) => (index % 2 === 0 ? [`${name.toLowerCase()}: ${raw[index + 1]}`] : []));
  return lines.filter((line) => !/^(date|connection|keep-alive|transfer-encoding|content-length):/.test(line)).sort();
}
