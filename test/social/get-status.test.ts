import * as assert from "uvu/assert";
import { type Person, person, publish } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import type { TestServices } from "../support/services.ts";
import { useSharedServices } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";

const Get = suite("get status");
let services: TestServices;
let ann: Person;
let bea: Person;

useSharedServices(Get, (shared) => (services = shared));
Get.before.each(async () => {
  [ann, bea] = [await person(services, "ann"), await person(services, "bea")];
});

const get = (status: { authorId: bigint; id: bigint }, viewer?: Person) =>
  services.clients.statuses.getStatus({ status }, viewer ? { headers: { "roost-viewer": `${viewer.id}` } } : {});

Get("shows the status as in the timeline, with its user and the viewer's marks", async () => {
  const key = await publish(services, ann, "hello");
  await services.clients.statuses.favorite({ userId: bea.id, status: key });
  const { status } = await get(key, bea);
  assert.equal([status?.text, status?.user?.screenName, status?.favorited], ["hello", ann.name, true]);
  assert.equal([(await get(key, ann)).status?.favorited, (await get(key)).status?.favorited], [false, false]);
  const { results } = await services.clients.social.socialTimelines({ screenName: ann.name });
  assert.equal({ ...(await get(key)).status, user: undefined }, { ...results[0], user: undefined });
});

Get("returns the language of the status, or else that of the author's profile", async () => {
  const { statuses, profiles } = services.clients;
  await profiles.updateProfile({ userId: ann.id, profile: { lang: "da" }, updateMask: { paths: ["lang"] } });
  const { status: own } = await statuses.publishStatus({ authorId: ann.id, text: "hej", lang: "fo" });
  assert.is((await get({ authorId: ann.id, id: own?.id ?? 0n })).lang, "fo");
  const plain = await publish(services, ann);
  assert.is((await get(plain)).lang, "da");
  const { status: repost } = await statuses.repost({ userId: bea.id, status: plain });
  assert.is((await get({ authorId: bea.id, id: repost?.id ?? 0n })).lang, "da");
  const refusal = await refusalOf(statuses.publishStatus({ authorId: ann.id, text: "x", lang: "?" }));
  assert.equal(refusal.fields, ["lang RegularExpression"]);
});

Get("shows a protected user's status only to the user and approved followers, and no unknown one", async () => {
  const key = await publish(services, ann);
  const { graph, profiles } = services.clients;
  await graph.follow({ followerId: bea.id, userId: ann.id });
  await profiles.setProtected({ userId: ann.id, protected: true });
  const stranger = await person(services, "stranger");
  assert.is((await refusalOf(get(key))).code, "Unauthenticated");
  assert.is((await refusalOf(get(key, stranger))).code, "PermissionDenied");
  for (const reader of [ann, bea]) assert.is((await get(key, reader)).status?.id, key.id);
  assert.is((await refusalOf(get({ ...key, id: 1n }))).code, "NotFound");
});

Get("shows on a repost the viewer's marks of the original", async () => {
  const key = await publish(services, ann);
  const { status: repost } = await services.clients.statuses.repost({ userId: bea.id, status: key });
  const shown = { authorId: bea.id, id: repost?.id ?? 0n };
  await services.clients.statuses.favorite({ userId: ann.id, status: shown });
  const flags = async (viewer: Person) => {
    const { status } = await get(shown, viewer);
    return [status?.favorited, status?.retweeted];
  };
  assert.equal(
    [await flags(ann), await flags(bea)],
    [
      [true, false],
      [false, true],
    ],
  );
});

Get("allows answers only to statuses that the author may read", async () => {
  const key = await publish(services, ann);
  await services.clients.profiles.setProtected({ userId: ann.id, protected: true });
  const reply = (author: Person) =>
    services.clients.statuses.publishStatus({ authorId: author.id, text: "?", inReplyTo: key });
  assert.is((await refusalOf(reply(bea))).code, "PermissionDenied");
  assert.is((await reply(ann)).status?.inReplyToStatusId, key.id);
});

Get.run();
