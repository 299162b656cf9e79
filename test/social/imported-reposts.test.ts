import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import * as assert from "uvu/assert";
import { recount } from "../../cli/verify.ts";
import { ImportOutcome } from "../../proto/gen/social/v1/import_service_pb.ts";
import { enumName } from "../support/enum-name.ts";
import { person, profileOf } from "../support/people.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { listDrift } from "./drift.ts";

const Reposts = suite("imported reposts");
const services = useServices(Reposts);

Reposts.after.each(async () => {
  assert.equal(await listDrift(services.database), []);
  assert.is((await recount(services.clients.verify, () => {})).drifts, 0);
});

let lastId = 0;

/** An imported user: by origin id, user id and name. */
async function importedUser() {
  const originId = `${++lastId}`;
  const screenName = `imported${originId}`;
  const createdAt = timestampFromDate(new Date("2008-01-01"));
  const claims = [{ originId, userName: screenName, displayName: screenName, createdAt }];
  const { results } = await services.clients.account.claimAccounts({ origin: "twitter", claims });
  const user = { originId, screenName, id: results[0]?.userId ?? 0n };
  const profile = { screenName, name: screenName, createdAt: "Wed Aug 27 13:08:45 +0000 2008" };
  const profiles = [{ userId: user.id, originId, profile }];
  await services.clients.imports.importProfiles({ origin: "twitter", profiles } as never);
  return user;
}

type User = Awaited<ReturnType<typeof importedUser>>;

interface Item {
  id: string;
  text?: string;
  repostOf?: [User, string];
  retweetCount?: number;
}

async function bring(author: { id: bigint }, items: Item[], options: { job?: string; validateOnly?: boolean } = {}) {
  const statuses = items.map(({ id, text = id, repostOf, retweetCount = 0 }, second) => ({
    authorId: author.id,
    originId: id,
    repostOfStatusOriginId: repostOf?.[1] ?? "",
    repostOfUserOriginId: repostOf?.[0].originId ?? "",
    status: { text, retweetCount, createdAt: `Wed Aug 27 13:09:${10 + second} +0000 2008` },
  }));
  const job =
    options.job === undefined ? {} : { job: { authorId: author.id, id: Buffer.from(options.job.padEnd(16)) } };
  const request = { origin: "twitter", statuses, validateOnly: options.validateOnly ?? false, ...job };
  const { results } = await services.clients.imports.importStatuses(request as never);
  return results.map(({ outcome, refusal }) => refusal || enumName(ImportOutcome, outcome));
}

async function textsOf({ screenName }: { screenName: string }, viewer?: bigint) {
  const headers = viewer === undefined ? {} : { "roost-viewer": `${viewer}` };
  const { results } = await services.clients.social.socialTimelines({ screenName }, { headers });
  return results.map(({ text }) => text);
}

const original = (author: User) => bring(author, [{ id: `o${author.originId}`, text: "original", retweetCount: 5 }]);
const repostOf = (author: User): Item => ({
  id: "r",
  text: `RT @${author.screenName}: original`,
  repostOf: [author, `o${author.originId}`],
});

Reposts("are added where the original is here, in the same batch too, and not counted again", async () => {
  const [author, reposter] = [await importedUser(), await importedUser()];
  await original(author);
  const items = [
    { id: "own" },
    repostOf(author),
    { ...repostOf(author), id: "unknown", repostOf: [author, "no"] as [User, string] },
  ];
  assert.equal(await bring(reposter, items, { validateOnly: true }), ["ADDED", "ADDED", "ORIGINAL_UNKNOWN"]);
  assert.equal(await bring(reposter, items), ["ADDED", "ADDED", "ORIGINAL_UNKNOWN"]);
  assert.equal(await bring(reposter, items), ["UNCHANGED", "UNCHANGED", "ORIGINAL_UNKNOWN"]);
  const repostOfOwn = { id: "again", text: "RT", repostOf: [reposter, "new"] as [User, string] };
  assert.equal(await bring(reposter, [{ id: "new" }, repostOfOwn]), ["ADDED", "ADDED"]);
  // A repost of a repost has no original: the origin writes none.
  assert.equal(await bring(author, [{ id: "x", repostOf: [reposter, "r"] }]), ["ORIGINAL_UNKNOWN"]);
  const { results } = await services.clients.social.socialTimelines({ screenName: author.screenName });
  assert.is(results[0]?.retweetCount, 5);
});

Reposts("show their maker that the original is reposted, which can be undone", async () => {
  const [author, reposter] = [await importedUser(), await importedUser()];
  await original(author);
  const read = async () => {
    const request = { screenName: author.screenName };
    const headers = { "roost-viewer": `${reposter.id}` };
    return (await services.clients.social.socialTimelines(request, { headers })).results[0];
  };
  assert.is((await read())?.retweeted, false);
  await bring(reposter, [repostOf(author)]);
  const shown = await read();
  assert.is(shown?.retweeted, true);
  await services.clients.statuses.unrepost({
    userId: reposter.id,
    status: { authorId: author.id, id: shown?.id ?? 0n },
  });
  assert.equal([(await read())?.retweeted, (await read())?.retweetCount], [false, 5]);
  assert.equal(await textsOf(reposter), []);
});

Reposts("are hidden with the original's author, as those made here are", async () => {
  const [author, reposter, viewer] = [await importedUser(), await importedUser(), await person(services, "viewer")];
  await original(author);
  await bring(reposter, [{ id: "own", text: "own" }, repostOf(author)]);
  const repost = `RT @${author.screenName}: original`;
  assert.equal(await textsOf(reposter), [repost, "own"]);
  await services.clients.people.muteUser({ userId: viewer.id, screenName: author.screenName });
  assert.equal([await textsOf(reposter, viewer.id), await textsOf(reposter)], [["own"], [repost, "own"]]);
  const protect = (isProtected: boolean) =>
    services.clients.profiles.setProtected({ userId: author.id, protected: isProtected });
  await protect(true);
  assert.equal(await textsOf(reposter), ["own"]);
  await protect(false);
  await services.clients.moderation.suspend({ userId: author.id, afterUserId: 0n });
  assert.equal(await textsOf(reposter), ["own"]);
});

Reposts("of an author who is protected or suspended are hidden from the start", async () => {
  for (const hide of [
    (author: User) => services.clients.profiles.setProtected({ userId: author.id, protected: true }),
    (author: User) => services.clients.moderation.suspend({ userId: author.id, afterUserId: 0n }),
  ]) {
    const [author, reposter] = [await importedUser(), await importedUser()];
    await original(author);
    await hide(author);
    assert.equal(await bring(reposter, [{ id: "own", text: "own" }, repostOf(author)]), ["ADDED", "ADDED"]);
    assert.equal(await textsOf(reposter), ["own"]);
    const [user] = (await services.clients.social.socialUsers({ screenNames: [reposter.screenName] })).results;
    assert.is(user?.status?.text, "own");
  }
});

Reposts("replace what an earlier release imported as an own status, and its marks are gone with it", async () => {
  const [author, reposter, fan] = [await importedUser(), await importedUser(), await person(services, "fan")];
  await original(author);
  const own = { ...repostOf(author), repostOf: undefined } as Item;
  assert.equal(await bring(reposter, [own]), ["ADDED"]);
  const { results } = await services.clients.social.socialTimelines({ screenName: reposter.screenName });
  const status = { authorId: reposter.id, id: results[0]?.id ?? 0n };
  await services.clients.statuses.favorite({ userId: fan.id, status });
  assert.equal(await bring(reposter, [repostOf(author)]), ["UPDATED"]);
  assert.is((await profileOf(services, fan))?.favouritesCount, 0);
  await services.clients.moderation.suspend({ userId: author.id, afterUserId: 0n });
  assert.equal(await textsOf(reposter), []);
  await services.clients.statuses.deleteStatus(status);
});

Reposts("are not added where the user has reposted that status here, nor twice", async () => {
  const [author, reposter] = [await importedUser(), await importedUser()];
  await original(author);
  const { results } = await services.clients.social.socialTimelines({ screenName: author.screenName });
  await services.clients.statuses.repost({
    userId: reposter.id,
    status: { authorId: author.id, id: results[0]?.id ?? 0n },
  });
  assert.equal(await bring(reposter, [repostOf(author)]), ["UNCHANGED"]);
  const other = await importedUser();
  assert.equal(await bring(other, [repostOf(author), { ...repostOf(author), id: "r2" }]), ["ADDED", "UNCHANGED"]);
  assert.is((await textsOf(other)).length, 1);
});

Reposts("that a job added are removed with it", async () => {
  const [author, reposter] = [await importedUser(), await person(services, "reposter")];
  await original(author);
  assert.equal(await bring(reposter, [repostOf(author)], { job: "j" }), ["ADDED"]);
  const { removed } = await services.clients.imports.undoImport({
    job: { authorId: reposter.id, id: Buffer.from("j".padEnd(16)) },
  });
  assert.is(removed, 1n);
});

Reposts.run();
