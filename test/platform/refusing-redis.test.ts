import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connectLimitsRedis } from "../../services/platform/limits/limits-redis.ts";
import { createLog } from "../../services/platform/log.ts";
import { connectRedis } from "../../services/platform/redis/connection.ts";
import { eventually } from "../support/eventually.ts";
import { startTestRedis, startTestRedisFor, type TestRedis } from "../support/redis.ts";

const Refusing = suite("a Redis that refuses or answers nonsense");
const redis = (await startTestRedisFor("a Redis that refuses")) as TestRedis;
const test = redis ? Refusing : Refusing.skip;
Refusing.after(async () => redis?.stop());

test("takes no reply for that of another command after one that is not understood", async () => {
  const faults = [""];
  const server = createServer((client) => {
    const remote = connect(redis.port, "127.0.0.1");
    for (const socket of [client, remote]) socket.on("error", () => {});
    client.pipe(remote).on("close", () => client.destroy());
    client.on("close", () => remote.destroy());
    remote.on("data", (chunk) => client.write(Buffer.concat([Buffer.from(faults.pop() ?? ""), chunk])));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const connection = connectRedis([`redis://127.0.0.1:${port}`], "test", createLog("test", "silent"), 1_000);
  const readBoth = async () => {
    const found = ["a", "b"].map(async (key) => connection.readAll([key]).catch(() => [key]));
    assert.equal(await Promise.all(found), [["a"], ["b"]]);
  };
  for (const key of ["a", "b"]) await redis.send(`SET ${key} ${key}`);
  for (let time = 0; time < 3; time++) {
    await eventually("Redis", async () => connection.isUsable());
    await readBoth();
    faults.push("*99999999999\r\n");
    const { number } = connection;
    const before = number();
    while (number() === before) {
      await readBoth();
      await sleep(5);
    }
  }
  connection.close();
  await new Promise((resolve) => server.close(resolve));
});

test("logs no password, whatever the reason why Redis refuses it", async () => {
  for (const options of [
    ["--requirepass", "another"],
    ["--rename-command", "HELLO", ""],
    ["--requirepass", "another", "--rename-command", "AUTH", ""],
  ]) {
    const refusing = (await startTestRedis(options)) as TestRedis;
    const url = `redis://:open-sesame@127.0.0.1:${refusing.port}`;
    const lines: string[] = [];
    const log = createLog("test", "info", { write: (line) => void lines.push(line) });
    const connection = connectRedis([url], "test", log, 1_000);
    const limits = connectLimitsRedis(url, log, 1_000);
    await eventually("the first line", async () => lines.length > 0);
    await limits.run("return {redis.call('UNKNOWN')}", ["open-sesame"], []);
    await sleep(500);
    assert.not.match(lines.join(""), "open-sesame");
    connection.close();
    limits.close();
    await refusing.stop();
  }
});

test("does not fill the log by refusing one command and answering others", async () => {
  const refusing = (await startTestRedis(["--rename-command", "MGET", ""])) as TestRedis;
  const lines: string[] = [];
  const log = createLog("test", "info", { write: (line) => void lines.push(line) });
  const connection = connectRedis([refusing.url], "test", log, 1_000);
  for (let time = 0; time < 12; time++) {
    await eventually("Redis", async () => connection.isUsable());
    await connection.readAll(["a"]).catch(() => {});
  }
  connection.close();
  await refusing.stop();
  assert.is(lines.length, 10);
});

Refusing.run();
