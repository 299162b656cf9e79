import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { AccountService } from "../../proto/gen/account/v1/account_service_pb.ts";
import { ImportOutcome, ImportService } from "../../proto/gen/social/v1/import_service_pb.ts";
import { runCli, runHere } from "./run-cli.ts";
import { twitterStatus, twitterUser } from "./samples.ts";

const Command = suite("cli: command line");
let directory = "";

Command.before(async () => {
  directory = await mkdtemp(join(tmpdir(), "roost-test-"));
});

Command.after(async () => {
  await rm(directory, { recursive: true });
});

Command("prints how to use it when called without a command, with an unknown one, or without files", async () => {
  const job = `1-${"a".repeat(32)}`;
  for (const args of [
    [],
    ["export"],
    ["export", "ann", "file", "more"],
    ["export", "ann", "--dry-run"],
    ["import"],
    ["import", "--what", "a.json"],
    ["import", "--as", "ann"],
    ["import", "a.json", "--dry-run"],
    ["import", "--undo"],
    ["import", "--undo", "1-abc"],
    ["import", "--undo", job, "a.json"],
    ["import", "--undo", job, "--as", "ann"],
  ]) {
    const { code, out, err } = await runHere(args);
    assert.is(code, 2, args.join(" "));
    assert.is(out, "");
    assert.match(err, /Usage: npm run import -- FILE…/);
  }
});

Command("does nothing when one of the files is not there", async () => {
  const good = await file("good.json", [twitterStatus("10")]);
  const services = await serve();
  try {
    const { code, out, err } = await runCli(["import", good, `${directory}/none.json`, directory], services.env);
    assert.is(code, 1);
    assert.is(out, "");
    assert.is(
      err,
      `${directory}/none.json cannot be read: there is no such file\n${directory} cannot be read: it is a directory\nNothing was imported.\n`,
    );
    assert.is(services.calls(), 0);
  } finally {
    await services.close();
  }
});

Command("imports files over the network and ends with the counts", async () => {
  const services = await serve();
  try {
    const first = await file("a.json", [twitterStatus("10"), twitterStatus("11", { user: twitterUser("2") })]);
    const second = await file("b.json", { users: [twitterUser("3")] });
    const { code, out, err } = await runCli(["import", first, second], services.env);
    assert.is(err, "");
    assert.is(
      out,
      "users: added 3, updated 0, unchanged 0, refused 0\n" +
        "statuses: added 2, updated 0, unchanged 0, refused 0\n" +
        "added 5, updated 0, unchanged 0, refused 0\n",
    );
    assert.is(code, 0);
  } finally {
    await services.close();
  }
});

Command("exits with 1 when something was refused, and says where", async () => {
  const services = await serve();
  try {
    const path = await file("c.json", [twitterStatus("10"), twitterStatus("11", { text: null })]);
    const { code, out, err } = await runCli(["import", path], services.env);
    assert.is(err, `${path}[1]: text is missing\n`);
    assert.match(out, /\nadded 2, updated 0, unchanged 0, refused 1\n$/);
    assert.is(code, 1);
  } finally {
    await services.close();
  }
});

Command("exits with 0 when all that is left out are embedded statuses without their user", async () => {
  const services = await serve();
  try {
    const { user: _, ...bare } = twitterStatus("9");
    const path = await file("e.json", { statuses: [twitterStatus("10", { retweeted_status: bare })] });
    const { code, out, err } = await runHere(["import", path], services.env);
    assert.equal([code, err], [0, ""]);
    assert.match(out, /^left out: embedded statuses without their user 1\n[^]*\nadded 2, .* refused 0\n$/);
  } finally {
    await services.close();
  }
});

Command("refuses settings that make no sense, in words", async () => {
  const { code, err } = await runCli(["import", await file("d.json", [])], { ACCOUNT_URL: "nonsense" });
  assert.is(code, 1);
  assert.match(err, /ACCOUNT_URL must be a URL of http or https/);
});

Command.run();

async function file(name: string, value: unknown): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, JSON.stringify(value));
  return path;
}

/** Both services behind one port: everything that they are asked to store is new to them. */
async function serve() {
  let calls = 0;
  const handler = connectNodeAdapter({
    routes({ service }) {
      service(AccountService, {
        claimAccounts: ({ claims }) => ({ results: claims.map(({ originId }) => ({ userId: BigInt(originId) })) }),
      });
      service(ImportService, {
        importProfiles: ({ profiles }) => ({ results: profiles.map(() => ({ outcome: ImportOutcome.ADDED })) }),
        importStatuses: ({ statuses }) => ({ results: statuses.map(() => ({ outcome: ImportOutcome.ADDED })) }),
      });
    },
  });
  const server = createServer((request, response) => {
    calls++;
    handler(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { ACCOUNT_URL: url, SOCIAL_URL: url },
    calls: () => calls,
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}
