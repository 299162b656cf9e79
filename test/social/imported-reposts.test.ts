import * as assert from "uvu/assert";
import { importProfiles, importStatuses, jobOf } from "../support/imports.ts";
import { as, importedAccount, person, profileOf, protect, textsOf } from "../support/people.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { listDrift, listRecounted } from "./drift.ts";

const Reposts = suite("imported reposts");
const services = useServices(Reposts);

Reposts.after.each(async () => {
  assert.equal([...(await listDrift(services.database)), ...(await listRecounted(services))], []);
});

let lastId = 0;

/** An imported user: by origin id, user id and name. */
async function importedUser() {
  const originId = `${++lastId}`;
  const user = { originId, name: `imported${originId}`, id: await importedAccount(services.clients.account, originId) };
  await importProfiles(services, { userId: user.id, originId, profile: { screenName: user.name } });
  return user;
}

type User = Awaited<ReturnType<typeof importedUser>>;

interface Item {
  id: string;
  text?: string;
  repostOf?: [User, string];
  retweetCount?: number;
}

function bring(author: { id: bigint }, items: Item[], options?: Parameters<typeof importStatuses>[2]) {
  const statuses = items.map(({ id, text = id, repostOf, retweetCount = 0 }, second) => ({
    authorId: author.id,
    originId: id,
    repostOfStatusOriginId: repostOf?.[1] ?? "",
    repostOfUserOriginId: repostOf?.[0].originId ?? "",
    status: { text, retweetCount, createdAt: `Wed Aug 27 13:09:${10 + second} +0000 2008` },
  }));
  return importStatuses(services, statuses, options);
}

async function shownOf({ name }: { name: string }, viewer?: { id: bigint }) {
  return (await services.clients.social.socialTimelines({ screenName: name }, as(viewer))).results;
}

const shownTexts = async (author: { name: string }, viewer?: { id: bigint }) => textsOf(await shownOf(author, viewer));
/** The newest status of a user. */
async function newestOf(author: User) {
  return { authorId: author.id, id: (await shownOf(author))[0]?.id ?? 0n };
}

const original = (author: User) => bring(author, [{ id: `o${author.originId}`, text: "original", retweetCount: 5 }]);
const repostOf = (author: User): Item => ({
  id: "r",
  text: `RT @${author.name}: original`,
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
  assert.is((await shownOf(author))[0]?.retweetCount, 5);
});

Reposts("show their maker that the original is reposted, which can be undone", async () => {
  const [author, reposter] = [await importedUser(), await importedUser()];
  await original(author);
  const read = async () => (await shownOf(author, reposter))[0];
  assert.is((await read())?.retweeted, false);
  await bring(reposter, [repostOf(author)]);
  assert.is((await read())?.retweeted, true);
  await services.clients.statuses.unrepost({ userId: reposter.id, status: await newestOf(author) });
  assert.equal([(await read())?.retweeted, (await read())?.retweetCount], [false, 5]);
  assert.equal(await shownTexts(reposter), []);
});

Reposts("are hidden with the original's author, as those made here are", async () => {
  const [author, reposter, viewer] = [await importedUser(), await importedUser(), await person(services, "viewer")];
  await original(author);
  await bring(reposter, [{ id: "own", text: "own" }, repostOf(author)]);
  const repost = `RT @${author.name}: original`;
  assert.equal(await shownTexts(reposter), [repost, "own"]);
  await services.clients.people.muteUser({ userId: viewer.id, screenName: author.name });
  assert.equal([await shownTexts(reposter, viewer), await shownTexts(reposter)], [["own"], [repost, "own"]]);
  await protect(services, author);
  assert.equal(await shownTexts(reposter), ["own"]);
  await protect(services, author, false);
  await services.clients.moderation.suspend({ userId: author.id });
  assert.equal(await shownTexts(reposter), ["own"]);
});

Reposts("of an author who is protected or suspended are hidden from the start", async () => {
  for (const hide of [
    (author: User) => protect(services, author),
    (author: User) => services.clients.moderation.suspend({ userId: author.id }),
  ]) {
    const [author, reposter] = [await importedUser(), await importedUser()];
    await original(author);
    await hide(author);
    assert.equal(await bring(reposter, [{ id: "own", text: "own" }, repostOf(author)]), ["ADDED", "ADDED"]);
    assert.equal(await shownTexts(reposter), ["own"]);
    assert.is((await profileOf(services, reposter))?.status?.text, "own");
  }
});

Reposts("replace what an earlier release imported as an own status, and its marks are gone with it", async () => {
  const [author, reposter, fan] = [await importedUser(), await importedUser(), await person(services, "fan")];
  await original(author);
  const own = { ...repostOf(author), repostOf: undefined } as Item;
  assert.equal(await bring(reposter, [own]), ["ADDED"]);
  const status = await newestOf(reposter);
  await services.clients.statuses.favorite({ userId: fan.id, status });
  assert.equal(await bring(reposter, [repostOf(author)]), ["UPDATED"]);
  assert.is((await profileOf(services, fan))?.favouritesCount, 0);
  await services.clients.moderation.suspend({ userId: author.id });
  assert.equal(await shownTexts(reposter), []);
  await services.clients.statuses.deleteStatus(status);
});

Reposts("are not added where the user has reposted that status here, nor twice", async () => {
  const [author, reposter] = [await importedUser(), await importedUser()];
  await original(author);
  await services.clients.statuses.repost({ userId: reposter.id, status: await newestOf(author) });
  assert.equal(await bring(reposter, [repostOf(author)]), ["UNCHANGED"]);
  const other = await importedUser();
  assert.equal(await bring(other, [repostOf(author), { ...repostOf(author), id: "r2" }]), ["ADDED", "UNCHANGED"]);
  assert.is((await shownTexts(other)).length, 1);
});

Reposts("that a job added are removed with it", async () => {
  const [author, reposter] = [await importedUser(), await person(services, "reposter")];
  await original(author);
  const job = jobOf(reposter.id, "j");
  assert.equal(await bring(reposter, [repostOf(author)], job), ["ADDED"]);
  assert.is((await services.clients.imports.undoImport(job)).removed, 1n);
});

Reposts.run();
