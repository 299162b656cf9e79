import * as assert from "uvu/assert";
import { listDrift, listRecounted } from "../social/drift.ts";
import { times } from "../support/long.ts";
import { sharedCluster } from "../support/postgres.ts";
import { suite } from "../support/suite.ts";
import { beginWalk, startWalkedSystem } from "./begin-walk.ts";
import { createExchange } from "./exchange.ts";
import { walk } from "./walk.ts";

// Users act at random by HTTP; in the short form few, so that they still affect each other. A model says what each action must
// answer, and what each reader must see of it in the next read.
const People = suite("users who act at random");
const exchange = createExchange();
const seed = Number(process.env.WALK_SEED ?? Math.floor(Math.random() * 2 ** 32));

People.after(() => exchange.close());

People(`see each other's writes in the next read, and nothing that they may not see (WALK_SEED=${seed})`, async () => {
  const system = await startWalkedSystem();
  try {
    const people = await beginWalk(system, exchange, times(8, 50), seed);
    const started = performance.now();
    await walk(people, times(60, 100_000));
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const done = [...people.done].map(([name, count]) => `${name}: ${count}`).toSorted();
    console.log(`\n${seconds} s; ${done.join(", ")}`);
    assert.equal([...(await listRecounted(system)), ...(await listDrift(system.database))], []);
  } finally {
    await system.stop();
  }
});

People("detect a service that raises no version", async () => {
  // A cluster refuses triggers.
  if (sharedCluster !== undefined) return;
  const system = await startWalkedSystem(false);
  try {
    const people = await beginWalk(system, exchange, 5, seed);
    await system.database.query(`
      create function social.keep_versions() returns trigger language plpgsql as $$ begin
        new.content_version = old.content_version;
        new.counters_version = old.counters_version;
        new.viewer_version = old.viewer_version;
        return new;
      end $$;
      create trigger keep_versions before update on social.profile for each row execute function social.keep_versions()`);
    const outcome = await walk(people, 1_000).then(
      () => "nothing found",
      (error: Error) => error.message,
    );
    assert.match(outcome, /^action \d+, /, `${outcome} (WALK_SEED=${seed})`);
  } finally {
    await system.stop();
  }
});

People.run();
