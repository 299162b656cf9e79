import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { ProfileService } from "../../proto/gen/social/v1/profile_service_pb.ts";
import { serveRpc } from "../../services/platform/connect/server.ts";
import { unavailable } from "../../services/platform/errors.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { createLog } from "../../services/platform/log.ts";
import { eventually } from "../support/eventually.ts";
import { type Statement, whileUncommitted } from "../support/open-transaction.ts";
import { importedAccount, isDeleted, password, publish, registerSignedIn } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, useServices } from "../support/services.ts";
import { suite, uses } from "../support/suite.ts";

const Deletion = suite("deletion");
const services = useServices(Deletion);

const register = (userName: string) => registerSignedIn(services, userName, { email: `${userName}@example.org` });
const deletion = async (userId: bigint) => (await services.clients.account.getDeletion({ userId })).deletion;

/** Waits for the outbox, a minute at most. */
const untilComplete = (userId: bigint) => eventually("the deletion", () => isDeleted(services, userId), 60);

Deletion("removes the user's data from both services, and frees the name and the e-mail address", async () => {
  const { userId } = await register("Gone");
  await publish(services, userId);
  const { deleteAccount, getDeletion } = services.clients.account;
  assert.is((await refusalOf(getDeletion({ userId }))).code, "NotFound");
  await deleteAccount({ userId });
  await untilComplete(userId);
  const { complete, batches, requestedAt, completedAt } = (await deletion(userId)) ?? {};
  assert.ok(complete && requestedAt && completedAt && (batches ?? 0) >= 1);
  assert.equal((await deleteAccount({ userId })).deletion?.requestedAt, requestedAt);
  assert.is((await refusalOf(deleteAccount({ userId: 7n }))).code, "NotFound");
  const left = `select (select count(*)::int from account.account where user_id = $1) as accounts,
                       (select count(*)::int from account.session where user_id = $1) as sessions,
                       (select count(*)::int from social.status where author_id = $1) as statuses,
                       (select count(*)::int from account_jobs._private_jobs where key = 'delete-profile:' || $1::text) as jobs`;
  assert.equal(await services.database.query(left, [userId]), [{ accounts: 0, sessions: 0, statuses: 0, jobs: 0 }]);
  assert.is.not((await register("gone")).userId, userId);
  assert.equal((await services.clients.social.socialTimelines({ screenName: "gone" })).results, []);
});

Deletion("succeeds when it is requested several times concurrently", async () => {
  const { userId } = await register("hasty");
  await Promise.all(Array.from({ length: 8 }, () => services.clients.account.deleteAccount({ userId })));
  await untilComplete(userId);
});

Deletion("leaves only what others wrote about the user, and what is stored for three days", async () => {
  const { people } = services.clients;
  const [leaver, friend] = [await register("leaver_q7"), await register("friend_q7")];
  const profile = { name: "Named q7", description: "Told q7", url: "https://q7.example/" };
  await people.updateProfile({ userId: leaver.userId, ...profile });
  const { id } = await publish(services, leaver.userId, "Said q7 #tagged_q7");
  await publish(services, friend.userId, "to @leaver_q7");
  const marks = { favorited: true, retweeted: true };
  await people.markStatus({ userId: friend.userId, screenName: "leaver_q7", id, ...marks });
  for (const [actor, screenName] of [
    [leaver, "friend_q7"],
    [friend, "leaver_q7"],
  ] as const) {
    const pair = { userId: actor.userId, screenName };
    await people.followUser(pair);
    await people.muteUser(pair);
    await people.reportUser({ ...pair, reason: "Why q7" });
  }
  await services.clients.account.deleteAccount({ userId: leaver.userId });
  await untilComplete(leaver.userId);
  assert.equal(await placesOf(["leaver_q7", "named q7", "told q7", "//q7.example", "said q7", "tagged_q7", "why q7"]), [
    // For three days: what the friend's own requests were answered.
    "social.request",
    // The friend's mention.
    "social.status",
  ]);
  const answered = "select distinct user_id from social.request where answer::text like '%' || $1 || '%'";
  const said = Buffer.from("Said q7").toString("hex");
  const { query } = services.database;
  assert.equal(await query(answered, [said]), [{ user_id: `${friend.userId}` }]);
  const mentioned = "select text from social.status where entities::text like '%Named q7%'";
  assert.equal(await query(mentioned), [{ text: "to @leaver_q7" }]);
});

/** The tables of which a row has one of these texts, in any case and also as bytes. */
async function placesOf(texts: readonly string[]): Promise<string[]> {
  const { query } = services.database;
  const tables = await query(`select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema in ('account', 'account_jobs', 'social') and table_type = 'BASE TABLE' order by 1`);
  const found: string[] = [];
  for (const name of tables.map((table) => `${table.name as string}`)) {
    const rows = await query(`select row::text as row from ${name} as row`);
    const all = rows.map(({ row }) => `${row as string} ${textsOf(`${row as string}`)}`.toLowerCase()).join();
    if (texts.some((text) => all.includes(text))) found.push(name);
  }
  return found;
}

/** The columns of bytes in a row's text, as texts. */
function textsOf(row: string): string {
  return [...row.matchAll(/\\x([0-9a-f]+)/g)]
    .map(([, hex = ""]) => Buffer.from(hex, "hex").toString("latin1"))
    .join(" ");
}

Deletion("leaves no request id of a change of the password that is committed while it waits", async () => {
  const { userId } = await register("changing");
  // Holds the locks that a change of the password has before its commit.
  const change: Statement[] = [
    ["update account.account set password_version = password_version + 1 where user_id = $1", [userId]],
    ["insert into account.password_request values ($1, $2, 2)", [userId, randomUUID()]],
  ];
  await whileUncommitted(services.database.account, change, async ({ waiting, commit }) => {
    const deleted = services.clients.account.deleteAccount({ userId });
    await waiting(1);
    await commit();
    await deleted;
  });
  const stored = "select from account.password_request where user_id = $1";
  assert.is((await services.database.query(stored, [userId])).length, 0);
});

Deletion(
  "leaves no account to use, read or claim while the social service is unavailable, and frees the name when it has completed",
  async () => {
    const { userId, sessionId } = await register("Held");
    await publish(services, userId);
    await services.stopSocial();
    const begun = (await services.clients.account.deleteAccount({ userId })).deletion;
    assert.is(begun?.complete, false);
    assert.is(await services.userOf(sessionId), undefined);
    const signIn = services.clients.accountPeople.authenticate({ userName: "held", password });
    assert.is((await refusalOf(signIn)).code, "Unauthenticated");
    const { getAccount, claimAccount } = services.clients.account;
    assert.is((await refusalOf(getAccount({ userId }))).code, "NotFound");
    assert.is((await refusalOf(claimAccount({ userId, password }))).code, "NotFound");
    const registration = services.clients.account.registration({ userName: "hELD", password });
    assert.equal((await refusalOf(registration)).fields, ["userName AlreadyExists"]);
    assert.is(await importedAccount(services.clients.account, "78", "held"), 0n);
    const [row] = await services.database.query("select * from account.account where user_id = $1", [userId]);
    assert.equal([row?.email, row?.display_name, row?.password_hash, row?.claimed], [null, "", null, false]);

    await services.startSocial();
    await untilComplete(userId);
    await register("Held");
  },
);

Deletion("of an account that has no profile yet leaves none behind", async () => {
  await services.stopSocial();
  const { userId } = await register("early");
  await services.clients.account.deleteAccount({ userId });
  await services.startSocial();
  await untilComplete(userId);
  const outstanding = "select from account_jobs._private_jobs where key = 'create-profile:' || $1::text";
  assert.equal(await services.database.query(outstanding, [userId]), []);
  assert.equal((await services.clients.social.socialUsers({ screenNames: ["early"] })).results, []);
});

Deletion.run();

const Batches = suite("deletion in batches");
/** A social service whose answer to each call for a batch is chosen by the test. */
let socialService: Running;
let answers: (() => { complete: boolean } | Promise<{ complete: boolean }>)[] = [];
/** Users for whom it does not answer. */
const held = new Set<bigint>();

Batches.before(async () => {
  socialService = await serveRpc({ host: "127.0.0.1", port: 0, log: createLog("test", "silent") }, (router) =>
    router.service(ProfileService, {
      createProfiles: () => ({}),
      deleteProfile: ({ userId }) => {
        const answer = held.has(userId) ? undefined : answers.shift();
        if (answer === undefined) throw unavailable();
        return answer();
      },
    }),
  );
});
uses(Batches, () => startTestServices({ SOCIAL_URL: socialService.url }), services);
Batches.after(() => socialService.close());

Batches("repeats batches, also after a failure, until all data is deleted, and then frees the name", async () => {
  const { account } = services.clients;
  const { userId } = await account.registration({ userName: "Big", password });
  const more = () => ({ complete: false });
  const down = () => {
    throw unavailable();
  };
  let isLast = false;
  const last = () => ({ complete: isLast });
  answers = [more, down, more, more, ...Array.from({ length: 10_000 }, () => last)];
  const { deletion: first } = await account.deleteAccount({ userId });
  assert.equal([first?.complete, first?.batches], [false, 1]);

  const progress = () => deletion(userId);
  await eventually("five batches", async () => ((await progress())?.batches ?? 0) >= 5);
  assert.is((await refusalOf(account.registration({ userName: "big", password }))).errorCode, "AlreadyExists");
  isLast = true;
  await untilComplete(userId);
  assert.is((await account.registration({ userName: "big", password })).userName, "big");
});

Batches("completes the deletion of no other user", async () => {
  const { account } = services.clients;
  const { userId: waiting } = await account.registration({ userName: "waiting", password });
  const { userId: other } = await account.registration({ userName: "other", password });
  held.add(waiting);
  await account.deleteAccount({ userId: waiting });
  answers = [() => ({ complete: true })];
  await account.deleteAccount({ userId: other });
  await untilComplete(other);
  assert.not(await isDeleted(services, waiting));
  held.clear();
  answers = [() => ({ complete: true })];
  await untilComplete(waiting);
});

Batches("continues after a pause in which its job was considered abandoned", async () => {
  const { account } = services.clients;
  const ends: ((answer: { complete: boolean }) => void)[] = [];
  const pause = () => new Promise<{ complete: boolean }>((resolve) => ends.push(resolve));
  const userIds: bigint[] = [];
  // As many as run at once: another worker that is free would take the job again before it is lost.
  for (const userName of ["first", "second", "third", "fourth"]) {
    answers = [() => ({ complete: false })];
    const { userId } = await account.registration({ userName, password });
    await account.deleteAccount({ userId });
    userIds.push(userId);
  }
  answers = [pause, pause, pause, pause, ...Array.from({ length: 4 }, () => () => ({ complete: true }))];
  await eventually("four jobs", async () => ends.length === 4);
  await services.database.query("update account_jobs._private_jobs set locked_at = null, locked_by = null");
  ends.shift()?.({ complete: false });
  await sleep(300);
  for (const end of ends) end({ complete: true });
  await Promise.all(userIds.map(untilComplete));
});

Batches.run();
