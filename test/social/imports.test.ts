import * as assert from "uvu/assert";
import { importStatuses as importAll, importProfiles, outcomesOf } from "../support/imports.ts";
import { idsOf, importedAccount, plainProfile, profileOf, protect, register, textsOf } from "../support/people.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Imports = suite("imports");
const services = useServices(Imports);

const claim = (originId: string, userName: string) => importedAccount(services.clients.account, originId, userName);
const importStatuses = (...statuses: Parameters<typeof importAll>[1][number][]) => importAll(services, statuses);

const importProfile = async (userId: bigint, originId: string, profile: object) =>
  (await importProfiles(services, { userId, originId, profile }))[0];

async function person(originId: string, screenName: string): Promise<bigint> {
  const userId = await claim(originId, screenName);
  assert.is(await importProfile(userId, originId, { screenName }), "ADDED");
  return userId;
}

const timeline = async (screenName: string) => (await services.clients.social.socialTimelines({ screenName })).results;

Imports("store profiles with their counters, and update them when they changed", async () => {
  const userId = await claim("1", "Uno");
  const profile = { screenName: "Uno", followersCount: 7, statusesCount: 1_769, verified: true, utcOffset: -3_600 };
  assert.is(await importProfile(userId, "1", profile), "ADDED");
  assert.is(await importProfile(userId, "1", profile), "UNCHANGED");
  assert.is(await importProfile(userId, "1", { ...profile, followersCount: 8 }), "UPDATED");
  const shown = await profileOf(services, { id: userId });
  assert.equal(
    [shown?.followersCount, shown?.statusesCount, shown?.verified, shown?.utcOffset, shown?.createdAt],
    [8, 1_769, true, -3_600, plainProfile.createdAt],
  );
});

Imports("do not change a profile that was not imported", async () => {
  const userId = await register(services, "own");
  assert.is(await importProfile(userId, "3", { screenName: "own", name: "Stranger" }), "UNCHANGED");
  assert.is((await profileOf(services, { id: userId }))?.name, "own");
});

Imports("store statuses once, ordered by their original time", async () => {
  const authorId = await person("4", "Cuatro");
  const early = { authorId, originId: "41", status: { text: "early" } };
  const late = { authorId, originId: "42", status: { text: "late", createdAt: "Thu Aug 28 13:08:45 +0000 2009" } };
  assert.equal(await importStatuses(late, early), ["ADDED", "ADDED"]);
  assert.equal(await importStatuses(early, late), ["UNCHANGED", "UNCHANGED"]);
  assert.equal(textsOf(await timeline("cuatro")), ["late", "early"]);
  const [first] = await timeline("cuatro");
  assert.equal(await importStatuses({ ...late, status: { ...late.status, retweetCount: 5 } }), ["UPDATED"]);
  const [again] = await timeline("cuatro");
  assert.equal([again?.id, again?.retweetCount], [first?.id, 5]);
});

Imports("map answers and mentions to ids of this system when the target is known", async () => {
  const seis = await person("6", "Seis");
  const siete = await person("7", "Siete");
  const userMentions = [
    { idStr: "6", screenName: "Seis", indices: [0, 5] },
    { idStr: "999", screenName: "nobody", indices: [6, 13] },
  ];
  await importStatuses(
    { authorId: seis, originId: "61" },
    {
      authorId: siete,
      originId: "71",
      status: { text: "@Seis @nobody", inReplyToScreenName: "Seis", entities: { userMentions } },
      inReplyToStatusOriginId: "61",
      inReplyToUserOriginId: "6",
    },
    {
      authorId: siete,
      originId: "72",
      status: { createdAt: "Thu Aug 28 13:08:45 +0000 2009", inReplyToScreenName: "gone" },
      inReplyToStatusOriginId: "5",
      inReplyToUserOriginId: "999",
    },
  );
  const [target] = await timeline("seis");
  const [unknown, known] = await timeline("siete");
  const answered = (status: typeof known) => [
    status?.inReplyToStatusId,
    status?.inReplyToUserId,
    status?.inReplyToScreenName,
  ];
  assert.equal(answered(known), [target?.id, seis, "Seis"]);
  assert.equal(answered(unknown), [undefined, undefined, "gone"]);
  assert.equal(
    known?.entities?.userMentions.map(({ id, idStr, screenName }) => [id, idStr, screenName]),
    [
      [seis, `${seis}`, "Seis"],
      [0n, "0", "nobody"],
    ],
  );
});

Imports("store statuses once when two imports of them run concurrently", async () => {
  const authors = [await person("9", "Nueve"), await person("10", "Diez")];
  const many = Array.from({ length: 200 }, (_, index) => ({ authorId: authors[index % 2], originId: `9${index}` }));
  const [one, two] = await Promise.all([importStatuses(...many), importStatuses(...many.toReversed())]);
  assert.is([...one, ...two].filter((result) => result === "ADDED").length, 200);
  assert.is([...one, ...two].filter((result) => result === "UNCHANGED").length, 200);
});

Imports("leave a name to a user who registers it after its former user was renamed", async () => {
  await person("13", "handed");
  assert.is((await claim("13", "other_name")) > 0n, true);
  const userId = await register(services, "handed");
  const bearer = async () => (await services.clients.social.socialUsers({ screenNames: ["handed"] })).results[0]?.id;
  assert.is(await bearer(), userId);
  assert.is(await importProfile(await claim("13", "other_name"), "13", { screenName: "other_name" }), "UPDATED");
  assert.is(await bearer(), userId);
});

Imports("refuse names of other users and invalid names", async () => {
  const userId = await register(services, "holder");
  const stranger = await person("14", "stranger");
  assert.is(await importProfile(stranger, "14", { screenName: "HOLDER" }), "its screen name belongs to another user");
  for (const screenName of ["", "a b", "x".repeat(37), "a\u0000"]) {
    assert.is(await importProfile(stranger, "14", { screenName }), "its screen name is not usable");
  }
  const found = (await services.clients.social.socialUsers({ screenNames: ["holder", "stranger"] })).results;
  assert.equal(idsOf(found), [userId, stranger]);
});

Imports("keep local changes when a newer version is imported", async () => {
  const userId = await claim("15", "Quince");
  const original = { screenName: "Quince", followersCount: 100, statusesCount: 10 };
  await importProfile(userId, "15", original);
  await importStatuses({ authorId: userId, originId: "151", status: { retweetCount: 7 } });
  const follower = await person("16", "follower");
  await services.clients.graph.follow({ followerId: follower, userId });
  const [status] = await timeline("quince");
  await services.clients.statuses.repost({ userId: follower, status: { authorId: userId, id: status?.id ?? 0n } });
  await protect(services, { id: userId });

  await importProfile(userId, "15", { ...original, description: "newer", followersCount: 150, statusesCount: 9 });
  await importStatuses({ authorId: userId, originId: "151", status: { text: "edited", retweetCount: 9 } });
  const shown = await profileOf(services, { id: userId });
  assert.equal([shown?.description, shown?.followersCount, shown?.statusesCount], ["newer", 151, 9]);
  assert.is(shown?.protected, true);
  const query = "select text, retweet_count from social.status where author_id = $1";
  assert.equal(await services.database.query(query, [userId]), [{ text: "edited", retweet_count: 10 }]);
});

Imports("leave alone what was changed here, and update the rest of a profile", async () => {
  const userId = await claim("18", "Kept");
  const imported = { screenName: "Kept", name: "At the origin", location: "Lima", followersCount: 7 };
  await importProfile(userId, "18", { ...imported, protected: true });
  const { profiles } = services.clients;
  const change = { name: "Chosen here", protected: false };
  await profiles.updateProfile({ userId, profile: change, updateMask: { paths: Object.keys(change) } });
  await profiles.setVerified({ userId, verified: true });
  const newer = { ...imported, name: "Newer at the origin", location: "Cusco", followersCount: 9, protected: true };
  assert.is(await importProfile(userId, "18", newer), "UPDATED");
  const shown = await profileOf(services, { id: userId });
  assert.equal([shown?.name, shown?.protected, shown?.verified], ["Chosen here", false, true]);
  assert.equal([shown?.location, shown?.followersCount], ["Cusco", 9]);
});

Imports("store every character of texts, sources and entities", async () => {
  const authorId = await person("20", "Veinte");
  const text = "NUL \\u0000, tab\t, line\nline\r\n, \\N \\. \\\\t \\x41 \u2028 \u0001 \u007f é 😀 \"'";
  const status = {
    text,
    source: text,
    inReplyToScreenName: text,
    coordinates: { type: "Point", coordinates: [-0.5, 1e-7] },
    entities: { hashtags: [{ text, indices: [0, 1] }] },
  };
  assert.equal(await importStatuses({ authorId, originId: "201", status }), ["ADDED"]);
  const [shown] = await timeline("veinte");
  for (const field of [shown?.text, shown?.source, shown?.inReplyToScreenName, shown?.entities?.hashtags[0]?.text])
    assert.is(field, text);
  assert.equal(shown?.coordinates?.coordinates, [-0.5, 1e-7]);
  assert.equal(await importStatuses({ authorId, originId: "201", status }), ["UNCHANGED"]);
});

Imports("update a status to which the origin gives a later time than all others have", async () => {
  const authorId = await person("21", "Veintiuno");
  const status = { createdAt: "Thu Aug 28 13:08:45 +0000 2008" };
  assert.equal(await importStatuses({ authorId, originId: "211" }), ["ADDED"]);
  const later = ["211", "212"].map((originId) => ({ authorId, originId, status }));
  assert.equal(await importStatuses(...later), ["UPDATED", "ADDED"]);
  assert.equal((await timeline("veintiuno")).length, 2);
});

Imports("refuse invalid statuses and store the others", async () => {
  const own = await person("11", "Once");
  const large = "it takes more than 48 KiB";
  const unpaired = "indices of an entity are not a pair";
  const items: [item: { status?: object; authorId?: bigint; originId?: string }, outcome: string][] = [
    [{ status: { createdAt: "yesterday" } }, "created_at does not lie between 2006 and now"],
    [{ status: { createdAt: "Wed Aug 27 13:08:45 +0000 2999" } }, "created_at does not lie between 2006 and now"],
    [{ status: { text: "a\u0000b" } }, "it holds a NUL character"],
    [{ status: { coordinates: { type: "Point", coordinates: [0, 91] } } }, "coordinates are not a point on the globe"],
    [{ authorId: 5n }, "its author has no profile here"],
    [{ originId: "f" }, "ADDED"],
    [{ originId: "f" }, "it occurs twice in one batch"],
    [{ status: { text: "é".repeat(24_000), entities: { urls: [{ indices: [0, 0] }] } } }, "ADDED"],
    [{ status: { text: "é".repeat(25_000) } }, large],
    [{ status: { entities: { hashtags: [{ text: "x".repeat(48 * 1_024), indices: [0, 1] }] } } }, large],
    [{ originId: "x".repeat(101) }, "it has no author, no usable original id or no status"],
    [{ status: { entities: { hashtags: [{ text: "a", indices: [5, 2] }] } } }, unpaired],
    [{ status: { entities: { urls: [{ indices: [-5, 2] }] } } }, unpaired],
    [{ status: { entities: { userMentions: [{ indices: [] }] } } }, unpaired],
    [{ status: { entities: { media: [{ indices: [9, 12, 7] }] } } }, unpaired],
  ];
  const outcomes = await importStatuses(
    ...items.map(([item], index) => ({ authorId: own, originId: `11${index}`, ...item })),
  );
  assert.equal(
    outcomes,
    items.map(([, outcome]) => outcome),
  );
});

Imports("give a field of a profile that breaks a rule its default, and say which", async () => {
  const userId = await claim("93", "Odd");
  const odd = {
    name: "x".repeat(65),
    location: "y".repeat(151),
    url: "ftp://a.example",
    lang: "Plain English",
    utcOffset: 60 * 3_600,
    profileTextColor: "red",
    friendsCount: -1,
    followersCount: 7,
  };
  // Empty texts stand for the default: they break no rule.
  const profile = { ...plainProfile, screenName: "Odd", profileLinkColor: "", ...odd };
  const request = { origin: "twitter", profiles: [{ userId, originId: "93", profile }] };
  for (const expected of ["ADDED", "UNCHANGED"]) {
    const { results } = await services.clients.imports.importProfiles(request);
    assert.equal(outcomesOf(results), [expected]);
    const names = "friends_count lang location name profile_text_color url utc_offset";
    assert.is(results[0]?.defaultedFields.toSorted().join(" "), names);
  }
  const shown = await profileOf(services, { id: userId });
  const texts = [
    shown?.name,
    shown?.location,
    shown?.url,
    shown?.lang,
    shown?.profileTextColor,
    shown?.profileLinkColor,
  ];
  assert.equal(texts, ["Odd", "", undefined, "en", "333333", "0084B4"]);
  assert.equal([shown?.utcOffset, shown?.friendsCount, shown?.followersCount], [undefined, 0, 7]);
});

Imports.run();
