import { EventEmitter, once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import * as assert from "uvu/assert";
import { AccountService } from "../../proto/gen/account/v1/account_service_pb.ts";
import { Health } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { ImportOutcome, ImportService } from "../../proto/gen/social/v1/import_service_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { archivedTweet, xZip } from "../archives/archive-samples.ts";
import { useFolder } from "../support/folder.ts";
import { listen, stopListening } from "../support/listen.ts";
import { suite } from "../support/suite.ts";
import { runHere, startCli } from "./run-cli.ts";
import { twitterStatus, twitterUser } from "./samples.ts";

const Command = suite("cli: command line");
const folder = useFolder(Command);
let system: Awaited<ReturnType<typeof startFakeSystem>>;
let announced = "";

Command.before(async () => {
  system = await startFakeSystem();
  announced = `Roost: account service ${system.url}, social service ${system.url}\n`;
});
Command.before.each(() => system.setBehaviour("answering"));
Command.after(() => system.close());

Command("answers a usage error with the reason, the usage and exit code 2", async () => {
  const job = `1-${"a".repeat(32)}`;
  // test/docs/lists.test.ts shows the usage of each command, and what is meant by a misspelled option.
  const cases: [string, RegExp][] = [
    ["", /^Roost's tool/],
    ["emport", /^There is no command emport\. Did you mean import\?\n\nRoost's tool/],
    ["export", /The name of a user is missing\.\n\nUsage: npm run export/],
    ["export ann file more", /export takes one user and one file/],
    ["verify all", /verify takes no arguments/],
    ["account", /The command is missing\.\n\nUsage: npm run account[^]*npm run account -- --help\n$/],
    ["account sessions", /The name of a user is missing/],
    ["account grow ann", /account has no such command/],
    ["account toString ann", /account has no such command/],
    ["account reset-password ann battery-staple", /This takes one name and nothing else\./],
    ["account suspend ann --email a@b.example", /account suspend has no option --email/],
    ["account reports all", /This takes no arguments/],
    ["account reports show 0", /This takes one number, as it is listed/],
    ["account invite make --uses 0", /--uses takes a whole number from 1 to 10000/],
    ["account invite make --days 401", /--days takes a whole number from 1 to 400/],
    ["account invite revoke", /This takes one number, as it is listed/],
    ["import a.json --yes", /import has no option --yes/],
    ["account lst", /account has no such command\. Did you mean list\?/],
    ["account invite mkae", /account has no such command\. Did you mean invite make\?/],
    ["account list --take 0", /--take takes a whole number from 1 to 1000/],
    ["import", /name is missing\.\n\nUsage: npm run import -- FILE…[^]*npm run import -- --help\n$/],
    ["import --as ann", /name is missing/],
    ["import a.json --dry-run", /--dry-run goes with --as or --undo/],
    ["import --undo", /argument missing/],
    ["import --undo 1-abc", /^1-abc is not a job/],
    [`import --undo ${job} a.json`, /--undo takes a job, and no files/],
  ];
  for (const [call, message] of cases) {
    const { code, out, err } = await runHere(call.split(" ").filter(Boolean));
    assert.equal([code, out], [2, ""], call);
    assert.match(err, message);
    // An argument may be a password.
    assert.not.match(err, /battery-staple/);
  }
});

Command("reports without a stack trace that no service of Roost answers, or what answers instead", async () => {
  // SOCIAL_PORT as `npm start` reads it.
  const none = await runHere(["verify"], { ACCOUNT_URL: "http://user:secret@127.0.0.1:9", SOCIAL_PORT: "9" });
  assert.equal([none.code, none.out], [1, ""]);
  assert.is(
    none.err,
    "Roost: account service http://127.0.0.1:9, social service http://127.0.0.1:9\n" +
      "No Roost answers at http://127.0.0.1:9: is `npm start` running?\n",
  );
  const other = createServer((_, response) => response.writeHead(404).end("<html>"));
  const wrong = await runHere(["verify"], { ...system.env, SOCIAL_URL: `http://127.0.0.1:${await listen(other)}` });
  other.close();
  assert.is(wrong.code, 1);
  assert.match(wrong.err, /\nWhat answers at http:\S+ is not Roost's social service: \[unimplemented\] HTTP 404\n$/);
});

Command("refuses invalid settings with a message", async () => {
  const { code, err } = await runHere(["verify"], { ACCOUNT_URL: "nonsense" });
  assert.is(code, 1);
  assert.match(err, /ACCOUNT_URL must be a URL of http or https/);
  assert.not.match(err, /\n +at /);
});

Command("imports nothing when a file is missing", async () => {
  const good = folder.write("good.json", JSON.stringify([twitterStatus("10")]));
  const diary = folder.write("diary.txt", "Dear diary,\nit rains.");
  const { code, out, err } = await runHere(["import", good, `${folder.path}/none.json`, diary], system.env);
  assert.equal([code, out, system.imports()], [1, "", 0]);
  assert.is(
    err,
    `${announced}${folder.path}/none.json cannot be read: there is no such file\n` +
      `${diary}: it has no form that is read here: it begins with "Dear diary," and "it rains."\nNothing was imported.\n`,
  );
});

Command("imports files over the network and prints the counts at the end", async () => {
  const { user: _, ...bare } = twitterStatus("9");
  const embedding = twitterStatus("11", { user: twitterUser("2"), quoted_status: bare });
  const first = folder.write("a.json", JSON.stringify([twitterStatus("10"), embedding]));
  const second = folder.write("b.json", JSON.stringify({ users: [twitterUser("3")] }));
  const { code, out, err } = await runHere(["import", first, second], system.env);
  assert.equal([code, err], [0, announced]);
  assert.is(
    out,
    "left out: embedded statuses without their user 1\n" +
      "users: added 3, updated 0, unchanged 0, refused 0\n" +
      "statuses: added 2, updated 0, unchanged 0, refused 0\n" +
      "added 5, updated 0, unchanged 0, refused 0\n",
  );
});

Command("prints where each refused item is, and exits with 1", async () => {
  const [good, bad] = [twitterStatus("10"), twitterStatus("11", { text: null })].map((value) => JSON.stringify(value));
  const path = folder.write("c.json", `[${good}, ${bad}, {"id": new Date()}, ${good}`);
  const { code, out, err } = await runHere(["import", path], system.env);
  const [, ...lines] = err.trim().split("\n");
  assert.equal(lines.slice(0, 2), [`${path}[1]: text is missing`, `${path}[2]: it is not JSON`]);
  assert.match(lines[2] ?? "", /c\.json\[3\]: the file is cut off, near byte \d+$/);
  assert.match(out, /\nadded 2, updated 0, unchanged 0, refused 3\n$/);
  assert.is(code, 1);
});

Command("finishes an import when nobody reads its output any more, or its messages", async () => {
  const first = folder.write("e.json", JSON.stringify([twitterStatus("10"), twitterStatus("11", { text: null })]));
  const second = folder.write("f.json", JSON.stringify([twitterStatus("12"), twitterStatus("13")]));
  for (const [closed, read, text] of [
    ["stdout", "err", /e\.json\[1\]: text is missing/],
    ["stderr", "out", /\nadded 4, updated 0, unchanged 0, refused 1\n$/],
  ] as const) {
    const { child, ended } = startCli(["import", first, second], system.env);
    child[closed]?.destroy();
    const outcome = await ended;
    assert.match(outcome[read], text);
    assert.is(outcome.code, 1);
  }
  assert.is(system.imports(), 4);
});

Command("prints after a failure what was stored and how to continue", async () => {
  system.setBehaviour("refusing");
  const path = folder.write("f.json", JSON.stringify([twitterStatus("10")]));
  const { code, err } = await runHere(["import", path], system.env);
  assert.is(code, 1);
  assert.match(
    err,
    /\nImportStatuses failed: .*\nWhat was sent is stored \(statuses: 0\)\. Run the same command again to continue\.\n$/,
  );
});

Command("imports no archive from a pipe or a device, which cannot be read twice", async () => {
  const { code, out, err } = await runHere(["import", "/dev/null", "--as", "ann"], system.env);
  assert.equal([code, out], [1, ""]);
  assert.match(err, /\n\/dev\/null cannot be read: an archive is read more than once, .*\nNothing was imported\.\n$/);
});

Command("says of a broken archive that statuses of the files before it were stored, if there are any", async () => {
  const empty = folder.write("n.zip", xZip([]));
  const archive = folder.write("o.zip", xZip([archivedTweet("10")]));
  const broken = folder.write("p.zip", "no archive");
  const messageFor = async (...files: string[]) => {
    const { code, err } = await runHere(["import", ...files, "--as", "ann"], system.env);
    assert.is(code, 1);
    return err.trim().split("\n").at(-1);
  };
  const nothing = `Nothing of ${broken} was imported. What was sent of the files before it is stored.`;
  assert.is(await messageFor(archive, empty, broken), nothing);
  assert.is(await messageFor(empty, broken), "Nothing was imported.");
  assert.is(await messageFor(archive, broken, "--dry-run"), "Nothing was imported.");
});

Command("prints after Ctrl-C what was stored, with exit code 130", async () => {
  const archive = folder.write("g.zip", xZip([archivedTweet("10")]));
  const second = folder.write("h.zip", xZip([archivedTweet("11")]));
  const exported = join(folder.path, "g.json");
  const cases: [Behaviour, string[], RegExp][] = [
    [
      "hanging",
      ["import", archive, "--as", "ann"],
      /What was sent is stored\. Run the same .*--undo 5-[\da-f]{32} removes it\.\n$/,
    ],
    [
      "hanging after one",
      ["import", archive, second, "--as", "ann"],
      /What was sent of \S+h\.zip is stored\. Run the same .*--undo 5-[\da-f]{32} removes it\.\n$/,
    ],
    ["hanging", ["export", "ann", exported], /g\.json was not written\.\n$/],
  ];
  for (const [behaviour, args, message] of cases) {
    system.setBehaviour(behaviour);
    const { child, ended } = startCli(args, system.env);
    await system.hung();
    child.kill("SIGINT");
    const { code, err } = await ended;
    assert.is(code, 130);
    assert.match(err, /\nInterrupted\. /);
    assert.match(err, message);
  }
  assert.equal([existsSync(exported), existsSync(`${exported}.part`)], [false, false]);
});

Command.run();

/** How the fake services answer imports of statuses and reads of timelines. */
type Behaviour = "answering" | "refusing" | "hanging" | "hanging after one";

/** Both services at one port: every name is user 5, and everything that is imported is new. */
async function startFakeSystem() {
  let behaviour: Behaviour = "answering";
  let imports = 0;
  const calls = new EventEmitter();
  const behave = async <T>(answer: T): Promise<T> => {
    if (behaviour === "refusing") throw new ConnectError("not today", Code.PermissionDenied);
    if (behaviour === "answering" || (behaviour === "hanging after one" && imports === 1)) return answer;
    calls.emit("hung");
    // A call that never ends would leave the timer of its deadline behind.
    await once(calls, "end");
    return answer;
  };
  const added = (items: unknown[]) => {
    imports++;
    return { results: items.map(() => ({ outcome: ImportOutcome.ADDED })) };
  };
  const handler = connectNodeAdapter({
    routes({ service }) {
      service(Health, { check: () => ({}) });
      service(AccountService, {
        claimAccounts: ({ claims }) => ({ results: claims.map(({ originId }) => ({ userId: BigInt(originId) })) }),
      });
      service(ImportService, {
        importProfiles: ({ profiles }) => added(profiles),
        importStatuses: ({ statuses }) => behave(added(statuses)),
        countImported: () => ({}),
      });
      service(SocialService, {
        socialUsers: ({ screenNames }) => ({ results: screenNames.map((screenName) => ({ id: 5n, screenName })) }),
        socialTimelines: () => behave({}),
      });
    },
  });
  const server = createServer(handler);
  const url = `http://127.0.0.1:${await listen(server)}`;
  return {
    env: { ACCOUNT_URL: url, SOCIAL_URL: url },
    url,
    /** The number of batches received. */
    imports: () => imports,
    setBehaviour(next: Behaviour) {
      behaviour = next;
      imports = 0;
    },
    /** Resolves when the next call hangs. */
    hung: () => once(calls, "hung"),
    async close() {
      calls.emit("end");
      await stopListening(server);
    },
  };
}
