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

Refusing.run();
