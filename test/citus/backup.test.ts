import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { loadBackupConfig } from "../../services/local/backup/config.ts";
import { runBackup } from "../../services/local/backup/run.ts";
import { createClusterDatabase } from "../support/citus.ts";
import { makeDataFolder } from "../support/data-folder.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { suiteOnCluster } from "./suite-on-cluster.ts";

const [Backup, cluster] = await suiteOnCluster("backup of a cluster");

Backup("is refused, and so is a restore, with the service whose database it is", async () => {
  const spread = await createClusterDatabase(cluster);
  const plain = await createTestDatabase();
  const folder = makeDataFolder("roost-cluster-backup-");
  const file = join(folder, "roost.backup");
  const run = (...args: string[]) =>
    runBackup(
      args,
      () => loadBackupConfig({ ACCOUNT_DATABASE_URL: plain.account, SOCIAL_DATABASE_URL: spread.social }),
      () => {},
      () => {},
    ).then(
      () => "done",
      (error: Error) => error.message,
    );
  try {
    const refusal = /^The social database is a Citus cluster\. Back up its servers with the tools of Citus/;
    assert.match(await run("backup", file), refusal);
    assert.not.ok(existsSync(file) || existsSync(`${file}.part`));
    writeFileSync(file, "");
    assert.match(await run("restore", file, "--replace"), refusal);
  } finally {
    rmSync(folder, { recursive: true });
    await spread.drop();
    await plain.drop();
  }
});

Backup.run();
