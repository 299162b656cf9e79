import * as assert from "uvu/assert";
import { ownId } from "../../services/platform/rules/ids.ts";
import { importStatuses, jobOf } from "../support/imports.ts";
import { person, profileOf, publish, register, textsOf, valuesOf } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { listDrift, listRecounted, whileLocked } from "./drift.ts";

const Jobs = suite("import jobs");
const services = useServices(Jobs);

interface Item {
  id: string;
  second?: number;
  text?: string;
  replyTo?: string;
  mention?: string;
}

function bring(authorId: bigint, job: string | undefined, items: Item[]): Promise<string[]> {
  const statuses = items.map(({ id, second = 0, text = id, replyTo = "", mention }) => ({
    authorId,
    originId: id,
    inReplyToStatusOriginId: replyTo,
    inReplyToUserOriginId: replyTo && "me",
    status: {
      text,
      createdAt: `Wed Aug 27 13:08:${10 + second} +0000 2008`,
      entities: { userMentions: mention ? [{ idStr: mention, screenName: mention, indices: [0, 1] }] : [] },
    },
  }));
  const named = job === undefined ? {} : jobOf(authorId, job);
  return importStatuses(services, statuses, { authorOriginId: "me", ...named });
}

async function shown(screenName: string) {
  const { results, author } = await services.clients.social.socialTimelines({ screenName });
  const [user] = (await services.clients.social.socialUsers({ screenNames: [screenName] })).results;
  return { texts: textsOf(results), count: author?.statusesCount, latest: user?.status?.text, results };
}

async function undo(authorId: bigint, job: string) {
  const { removed, complete } = await services.clients.imports.undoImport(jobOf(authorId, job));
  return [Number(removed), complete];
}

Jobs("map the author's origin id in answers and mentions", async () => {
  const authorId = await register(services, "bea");
  await bring(authorId, "j", [{ id: "1" }, { id: "2", second: 1, replyTo: "1", mention: "me" }]);
  const [reply, target] = (await shown("bea")).results;
  const mentioned = reply?.entities?.userMentions[0]?.id;
  assert.equal([reply?.inReplyToStatusId, reply?.inReplyToUserId, mentioned], [target?.id, authorId, authorId]);
});

Jobs("do not change statuses that they did not add", async () => {
  const authorId = await register(services, "cleo");
  await bring(authorId, undefined, [{ id: "1", text: "file" }]);
  await bring(authorId, "one", [{ id: "2", text: "one", second: 1 }]);
  const changed = [1, 2, 3].map((id) => ({ id: `${id}`, text: "two", second: id }));
  assert.equal(await bring(authorId, "two", changed), ["UNCHANGED", "UNCHANGED", "ADDED"]);
  assert.equal((await shown("cleo")).texts, ["two", "one", "file"]);
});

Jobs("are undone without the statuses of other jobs and users, and counted", async () => {
  const authorId = await register(services, "dora");
  await bring(authorId, undefined, [{ id: "1" }]);
  await publish(services, authorId, "own");
  await bring(authorId, "one", [{ id: "2" }, { id: "3" }]);
  await bring(authorId, "two", [{ id: "3" }, { id: "4" }]);
  assert.equal(await undo(authorId, "one"), [2, true]);
  const { texts, count, latest } = await shown("dora");
  // The first one was imported without a job, as with a file whose profile has its own counter.
  assert.equal([texts, count, latest], [["own", "4", "1"], 2, "own"]);
  assert.equal(await undo(await register(services, "neighbour"), "two"), [0, true]);
  assert.equal((await shown("dora")).texts, ["own", "4", "1"]);
});

Jobs("whose undoing was interrupted show none of their statuses until it is finished", async () => {
  const authorId = await register(services, "uma");
  const [mark, others] = [await person(services, "fan"), await person(services, "fan")];
  const fans = [mark, others];
  const { favorite, repost, deleteStatus } = services.clients.statuses;
  await bring(authorId, "j", [{ id: "1" }, { id: "2", second: 1 }]);
  const [other, first] = (await shown("uma")).results.map(({ id }) => ({ authorId, id }));
  for (const { id: userId } of fans) await favorite({ userId, status: first });
  await repost({ userId: mark.id, status: first });
  await whileLocked(services, [mark.id], async ({ waiting, endWaiting }) => {
    const cutOff = refusalOf(undo(authorId, "j"));
    await waiting(1);
    // As when the process is killed: the statuses are deleted, but not their marks and reposts.
    await endWaiting();
    await cutOff;
  });
  assert.equal((await shown("uma")).texts, []);
  assert.is((await services.database.query("select from social.removed_status")).length, 2);

  assert.equal(await bring(authorId, "j", [{ id: "1" }, { id: "2", second: 1 }]), ["ADDED", "ADDED"]);
  const again = (await shown("uma")).results.map(({ id }) => ({ authorId, id }));
  assert.equal(again, [other, first]);
  await favorite({ userId: others.id, status: first });
  await repost({ userId: others.id, status: first });
  await favorite({ userId: mark.id, status: first });
  // Finishes interrupted deletions.
  await deleteStatus({ authorId, id: other?.id ?? 0n });
  for (const [fan, reposts] of [
    [mark, 0],
    [others, 1],
  ] as const) {
    const { favouritesCount, statusesCount } = (await profileOf(services, fan)) ?? {};
    assert.equal([favouritesCount, statusesCount], [1, reposts]);
  }
  assert.equal(valuesOf((await shown("uma")).results, "retweetCount"), [1]);
  assert.equal([...(await listDrift(services.database)), ...(await listRecounted(services))], []);
});

Jobs("are undone a thousand statuses at a time, newest first, and have the same ids when imported again", async () => {
  const authorId = await register(services, "edna");
  const many = Array.from({ length: 1_000 }, (_, id) => ({ id: `${id + 1}`, second: Math.floor(id / 40) }));
  const rest = Array.from({ length: 500 }, (_, id) => ({ id: `${id + 1_001}`, second: 30 }));
  const bringAll = async () => [await bring(authorId, "j", many), await bring(authorId, "j", rest)];
  const rows = () =>
    services.database.query("select id, text from social.status where author_id = $1 order by id", [authorId]);
  await bringAll();
  const first = await rows();
  assert.equal(textsOf(first), valuesOf([...many, ...rest], "id"));
  assert.equal(await undo(authorId, "j"), [1_000, false]);
  assert.equal([(await shown("edna")).latest, (await shown("edna")).count], ["500", 500]);
  assert.equal(await undo(authorId, "j"), [500, true]);
  assert.equal([(await shown("edna")).latest, (await shown("edna")).count], [undefined, 0]);
  await bringAll();
  assert.equal(await rows(), first);
});

Jobs("recognise statuses that were exported from the same account", async () => {
  const authorId = await register(services, "ines");
  await publish(services, authorId, "own");
  const [own] = (await shown("ines")).results;
  const status = { createdAt: own?.createdAt ?? "" };
  const bringBack = (text: string) =>
    importStatuses(services, [{ authorId, originId: `${own?.id}`, status: { ...status, text } }], jobOf(authorId, "j"));
  assert.equal(await bringBack("own"), ["UNCHANGED"]);
  assert.equal((await shown("ines")).texts, ["own"]);
  // Under the same id on another system, another user wrote another text.
  assert.equal(await bringBack("other"), ["ADDED"]);
  assert.equal((await shown("ines")).texts, ["other", "own"]);
});

Jobs("recognise only ids of Roost's own form", () => {
  const time = new Date("2014-08-31T00:29:15Z");
  const ours = BigInt(time.getTime() - Date.UTC(2006, 0, 1)) << 12n;
  const second = 1_000n << 12n;
  assert.is(ownId(`${ours}`, time), ours);
  assert.is(ownId(`${ours + second * 3_600n}`, time), ours + second * 3_600n);
  for (const id of [ours - 1n, ours + second * 86_400n, 505_874_924_095_815_681n, 20n]) {
    assert.is(ownId(`${id}`, time), undefined, `${id}`);
  }
  assert.is(ownId(`${ours + second * 60n}`, time, time.getTime()), undefined);
  assert.is(ownId(`0${ours}`, time), undefined);
});

Jobs("have one author and an id of 16 bytes", async () => {
  const authorId = await register(services, "hana");
  const ofAnother = await importStatuses(services, [{ authorId, originId: "1" }], jobOf(authorId + 1n, "j"));
  assert.equal(ofAnother, ["its author is not the one of the job"]);
  const short = { job: { authorId, id: Buffer.from("short") } };
  assert.is((await refusalOf(services.clients.imports.undoImport(short))).code, "InvalidArgument");
  assert.is((await refusalOf(services.clients.imports.countImported({}))).code, "InvalidArgument");
});

Jobs("are not undone completely where another call has removed some of those that were listed", async () => {
  const authorId = await register(services, "ivy");
  const items = Array.from({ length: 1_001 }, (_, index) => ({ id: `${10_000 + index}`, second: index % 50 }));
  for (let from = 0; from < items.length; from += 200) await bring(authorId, "two", items.slice(from, from + 200));
  let left = 0;
  await whileLocked(services, [authorId], async ({ run, waiting, commit }) => {
    const first = undo(authorId, "two");
    await waiting(1);
    await run(
      `delete from social.status where author_id = $1
         and id = (select max(id) from social.status where author_id = $1)`,
      [authorId],
    );
    await commit();
    const [removed = 0, complete] = await first;
    assert.is(complete, false);
    left = 1_000 - Number(removed);
  });
  assert.equal(await undo(authorId, "two"), [left, true]);
});

Jobs.run();
