import { rmSync } from "node:fs";
import * as assert from "uvu/assert";
import { findRunningPostgres } from "../../services/local/postgres/socket-directory.ts";
import { startPostgres } from "../../services/local/postgres/start-postgres.ts";
import { makeDataFolder } from "../support/data-folder.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";
import { queryOnce } from "../support/test-database.ts";
import { createLocalHome, killLaunched } from "./local-system.ts";

const Reindex = suite("npm start, after an upgrade of searches");
const home = makeDataFolder("roost-reindex-");
Reindex.after(() => {
  killLaunched();
  rmSync(home, { recursive: true, force: true });
});

Reindex("makes the words of earlier statuses, once", async () => {
  const local = await createLocalHome(home);
  const ask = async (path: string, body?: object, session = "") => {
    const init = { method: "POST", body: JSON.stringify(body), headers: { authorization: `Bearer ${session}` } };
    return (await (await fetch(`${local.url}${path}`, body && init)).json()) as {
      sessionId: string;
      results: unknown[];
    };
  };
  const find = async () => (await ask("/social/search/statuses?q=lantern")).results.length;
  const first = await local.start("--empty");
  const { sessionId } = await ask("/register", { userName: "ann", password: "correct horse", autoLogin: true });
  await eventually("the status is published", async () => {
    const { results } = await ask("/timelines/publish", { text: "A lantern" }, sessionId);
    return results?.length === 1;
  });
  assert.is(await find(), 1);
  assert.not.match(first.output(), /searches/);
  await first.end("SIGTERM");

  const postgres = await startPostgres({ home });
  const url = postgres.url("social", "roost");
  await queryOnce(url, "delete from social.status_word");
  await queryOnce(url, "update social.status set words = null, search_rules = null");
  await queryOnce(url, "update social.search_state set rules = 0");
  await postgres.stop();

  const second = await local.start();
  assert.match(second.output(), /older statuses are being prepared for searches/);
  await eventually("all is noted as done", async () => {
    const running = findRunningPostgres(home)?.url("social", "roost") ?? "";
    return (await queryOnce(running, "select rules from social.search_state"))[0]?.rules === 1;
  });
  assert.is(await find(), 1);
  await second.end("SIGTERM");
  const third = await local.start();
  assert.not.match(third.output(), /searches/);
  await third.end("SIGTERM");
});

Reindex.run();
