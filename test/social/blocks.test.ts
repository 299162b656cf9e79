import * as assert from "uvu/assert";
import { times } from "../support/long.ts";
import { as, type Person, person, profileOf, protect, publish, usePeople } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { suite } from "../support/suite.ts";
import { useServicesWithoutDrift } from "./drift.ts";

const Blocks = suite("blocks and mutes");

const services = useServicesWithoutDrift(Blocks);
const [ann, bea, cy] = usePeople(Blocks, services, "ann", "bea", "cy");

const block = (who: Person, whom: Person, blocked?: boolean) =>
  services.clients.people.blockUser({ userId: who.id, screenName: whom.name, blocked });
const mute = (who: Person, whom: Person, muted?: boolean) =>
  services.clients.people.muteUser({ userId: who.id, screenName: whom.name, muted });
const follow = (who: Person, whom: Person, following?: boolean) =>
  services.clients.people.followUser({ userId: who.id, screenName: whom.name, following });

const blockedYou = ["PermissionDenied", "This user has blocked you."];

async function refusal(call: Promise<unknown>): Promise<(string | undefined)[]> {
  const { code, message } = await refusalOf(call);
  return [code, message];
}

/** The texts that a viewer reads on a timeline. */
async function read({ name }: Person, viewer?: Person): Promise<string[]> {
  const { results } = await services.clients.social.socialTimelines({ screenName: name }, as(viewer));
  return results.map(({ text }) => text);
}

Blocks("end follows and requests, which an unblocking does not restore", async () => {
  await follow(ann, bea);
  await block(ann, bea);
  await block(ann, bea, false);
  assert.is((await profileOf(services, bea))?.followersCount, 0);

  await protect(services, cy);
  await follow(bea, cy);
  await block(cy, bea);
  await block(cy, bea, false);
  assert.equal((await services.clients.people.followRequests({ userId: cy.id })).results, []);
});

Blocks("refuse follows in both directions until the block ends, but no unfollows", async () => {
  await block(ann, bea);
  for (const [who, whom] of [
    [ann, bea],
    [bea, ann],
  ] as const) {
    assert.is((await refusalOf(follow(who, whom))).errorCode, "Forbidden");
    await follow(who, whom, false);
  }
  await block(ann, bea, false);
  await follow(bea, ann);
});

Blocks(
  "refuse the blocked user's answers, marks and reads by others' reposts, but not those of the blocker",
  async () => {
    const { people, statuses } = services.clients;
    const [status, own] = [await publish(services, ann), await publish(services, bea, "own")];
    const { status: repost } = await statuses.repost({ userId: cy.id, status });
    await block(ann, bea);
    const one = { screenName: cy.name, id: repost?.id ?? 0n };
    const answer = { inReplyToScreenName: cy.name, inReplyToStatusId: one.id };
    for (const call of [
      () => people.socialStatus(one, as(bea)),
      () => people.markStatus({ userId: bea.id, ...one, favorited: true }),
      () => people.publishStatus({ userId: bea.id, text: "x", ...answer }),
    ])
      assert.equal(await refusal(call()), blockedYou, `${call}`);
    assert.equal(await read(bea, ann), ["own"]);
    await people.markStatus({ userId: ann.id, screenName: bea.name, id: own.id, favorited: true });
  },
);

Blocks("make the blocked user's mentions of the blocker plain text", async () => {
  await block(ann, bea);
  const mentions = async (who: Person) => {
    const { results } = await services.clients.people.publishStatus({
      userId: who.id,
      text: `@${ann.name} @${cy.name}`,
    });
    return results[0]?.entities?.userMentions.map(({ id }) => id);
  };
  assert.equal([await mentions(bea), await mentions(cy)], [[cy.id], [ann.id, cy.id]]);
});

Blocks("hide reposts of blocked, blocking and muted users by others from the viewer", async () => {
  const { statuses, social } = services.clients;
  await publish(services, cy, "own");
  const status = await publish(services, ann, "of ann");
  await statuses.repost({ userId: cy.id, status });
  await statuses.repost({ userId: bea.id, status });
  const repost = `RT @${ann.name}: of ann`;
  const newest = async (viewer?: Person) =>
    (await social.socialUsers({ userIds: [cy.id] }, as(viewer))).results[0]?.status?.text;

  for (const [hide, show] of [
    [() => mute(bea, ann), () => mute(bea, ann, false)],
    [() => block(bea, ann), () => block(bea, ann, false)],
    [() => block(ann, bea), () => block(ann, bea, false)],
  ] as const) {
    await hide();
    assert.equal([await read(cy, bea), await newest(bea)], [["own"], "own"]);
    assert.equal([await read(cy), await read(cy, cy), await newest()], [[repost, "own"], [repost, "own"], repost]);
    // The viewer's own reposts are shown, so that the viewer can undo them.
    assert.equal(await read(bea, bea), [repost]);
    await show();
    assert.equal([await read(cy, bea), await newest(bea)], [[repost, "own"], repost]);
  }
});

Blocks("do not affect reads, follows and answers of a muted user", async () => {
  const status = await publish(services, ann);
  await mute(ann, bea);
  await follow(bea, ann);
  await services.clients.statuses.publishStatus({ authorId: bea.id, text: "x", inReplyTo: status });
  assert.equal([await read(ann, bea), await read(bea, ann)], [["hello"], ["x"]]);
});

Blocks("are listed for their user in pages, the newest first, without suspended users", async () => {
  const { people, moderation } = services.clients;
  const dan = await person(services, "dan");
  for (const whom of [bea, cy, dan]) {
    await block(ann, whom);
    await mute(ann, whom);
  }
  const namesOf = ({ results }: { results: { screenName: string }[] }) => results.map(({ screenName }) => screenName);
  for (const [list, other] of [
    ["socialBlocks", "socialMutes"],
    ["socialMutes", "socialBlocks"],
  ] as const) {
    const first = await people[list]({ userId: ann.id, take: 2n });
    const second = await people[list]({ userId: ann.id, take: 2n, cursor: first.next });
    assert.equal([namesOf(first), namesOf(second), second.next], [[dan.name, cy.name], [bea.name], ""]);
    const { errorCode } = await refusalOf(people[other]({ userId: ann.id, cursor: first.next }));
    assert.is(errorCode, "RegularExpression");
  }
  const blocks = async () => namesOf(await people.socialBlocks({ userId: ann.id }));
  await moderation.suspend({ userId: cy.id });
  assert.equal(await blocks(), [dan.name, bea.name]);
  await moderation.reinstate({ userId: cy.id });
  await block(ann, bea, false);
  assert.equal(await blocks(), [dan.name, cy.name]);
  await moderation.suspend({ userId: ann.id });
  assert.equal(await blocks(), [dan.name, cy.name]);
  await moderation.reinstate({ userId: ann.id });
});

Blocks("leave no follow when both are written concurrently", async () => {
  for (let round = 0; round < times(4, 80); round++) {
    const [who, whom] = [await person(services, "who"), await person(services, "whom")];
    const quietly = (call: Promise<unknown>) => call.catch(() => {});
    await Promise.all([
      quietly(follow(who, whom)),
      quietly(follow(whom, who)),
      block(who, whom),
      quietly(follow(whom, who)),
      quietly(follow(who, whom)),
    ]);
    assert.equal((await profileOf(services, who))?.friendsCount, 0);
  }
});

Blocks("allow no answer after the block was acknowledged, also none that is under way", async () => {
  for (let round = 0; round < times(4, 80); round++) {
    const [who, whom] = [await person(services, "who"), await person(services, "whom")];
    const status = await publish(services, whom);
    const { statuses } = services.clients;
    const answers = [0, 1, 2].map(() =>
      statuses.publishStatus({ authorId: who.id, text: "x", inReplyTo: status }).catch(() => {}),
    );
    await block(whom, who);
    const stand = (await read(who)).length;
    await Promise.all(answers);
    assert.is((await read(who)).length, stand);
  }
});

Blocks("are deleted with either user", async () => {
  for (const [gone, other] of [
    [ann, bea],
    [bea, cy],
  ] as const) {
    for (const [who, whom] of [
      [gone, other],
      [other, gone],
    ] as const) {
      await block(who, whom);
      await mute(who, whom);
      await services.clients.people.reportUser({ userId: who.id, screenName: whom.name, reason: "r" });
    }
    while (!(await services.clients.profiles.deleteProfile({ userId: gone.id })).complete);
    const left = await services.database.query(
      `select 1 from social.block where $1 in (blocker_id, user_id)
       union all select 1 from social.blocked where $1 in (blocker_id, user_id)
       union all select 1 from social.mute where $1 in (muter_id, user_id)
       union all select 1 from social.report where $1 in (reporter_id, user_id)`,
      [gone.id],
    );
    assert.equal(left, []);
  }
});

Blocks.run();
