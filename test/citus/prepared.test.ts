import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import * as assert from "uvu/assert";
import { maintainOnce } from "../social/drift.ts";
import { publish, timelineOf, usePeople } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { suiteOnCluster, useServicesOn } from "./suite-on-cluster.ts";

const [Prepared, cluster] = await suiteOnCluster("a repost that is prepared on one worker and committed on the other");
const services = useServicesOn(Prepared, cluster);
const [ann, bea] = usePeople(Prepared, services, "ann", "bea");

/**
 * Runs `work` while a repost of one of ann's statuses by bea is stored as Citus leaves it between two workers: ann's row is
 * committed, the repost is prepared. `commit` ends that.
 */
async function whilePrepared(
  work: (status: { authorId: bigint; id: bigint }, commit: () => Promise<unknown>) => Promise<void>,
) {
  const status = await publish(services, ann);
  const { status: repost } = await services.clients.statuses.repost({ userId: bea.id, status });
  const [place] = await services.database.query(
    `select shardid, nodename, nodeport from pg_dist_shard_placement
     where shardid = get_shard_id_for_distribution_column('social.status', $1::bigint)`,
    [bea.id.toString()],
  );
  const node = cluster.nodes.find(({ port }) => port === Number(place?.nodeport));
  const worker = new pg.Client(node?.url("postgres", new URL(services.database.social).pathname.slice(1)));
  await worker.connect();
  const shard = `social.status_${place?.shardid}`;
  const name = `prepared_${bea.id}`;
  try {
    await worker.query(`create table ${name} as select * from ${shard} where id = ${repost?.id}`);
    await worker.query(`delete from ${shard} where id = ${repost?.id}`);
    await worker.query(`begin; insert into ${shard} select * from ${name}; prepare transaction '${name}'`);
    assert.equal(await timelineOf(services, bea), []);
    await work(status, () => worker.query(`commit prepared '${name}'`));
  } finally {
    // As after a failed test: the database could not be dropped.
    await worker.query(`rollback prepared '${name}'`).catch(() => {});
    await worker.end();
  }
}

const writes: Record<string, (status: { authorId: bigint; id: bigint }) => Promise<unknown>> = {
  "a protection": () => services.clients.profiles.setProtected({ userId: ann.id, protected: true }),
  "a suspension": () => services.clients.moderation.suspend({ userId: ann.id }),
  "a deletion of the status": (status) => services.clients.statuses.deleteStatus(status),
  "a deletion of the author": () => services.clients.profiles.deleteProfile({ userId: ann.id }),
};

for (const [title, write] of Object.entries(writes)) {
  Prepared(`is hidden by ${title}, which waits for it`, () =>
    whilePrepared(async (status, commit) => {
      const written = write(status);
      await sleep(300);
      await commit();
      await written;
      assert.equal(await timelineOf(services, bea), []);
    }),
  );
}

Prepared("makes a protection fail while it stays prepared; maintenance hides it", () =>
  whilePrepared(async (_, commit) => {
    const protecting = services.clients.profiles.setProtected({ userId: ann.id, protected: true });
    assert.is((await refusalOf(protecting)).code, "Unavailable");
    await commit();
    await maintainOnce(services);
    assert.equal(await timelineOf(services, bea), []);
  }),
);

Prepared.run();
