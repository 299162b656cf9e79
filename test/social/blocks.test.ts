import * as assert from "uvu/assert";
import { times } from "../support/long.ts";
import { as, type Person, person, profileOf, protect, publish, textsOf, usePeople } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { suite } from "../support/suite.ts";
import { useServicesWithoutDrift, whileLocked } from "./drift.ts";

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

Blocks("end follows and requests in both directions, which an unblocking does not restore", async () => {
  await follow(ann, bea);
  await follow(bea, ann);
  const { results } = await block(ann, bea);
  assert.equal([results[0]?.id, results[0]?.following], [bea.id, false]);
  await block(ann, bea);
  for (const who of [ann, bea]) {
    const profile = await profileOf(services, who);
    assert.equal([profile?.followersCount, profile?.friendsCount], [0, 0]);
  }
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
  assert.equal((await refusalOf(follow(bea, ann))).errorCode, "Forbidden");
  assert.equal((await refusalOf(follow(ann, bea))).errorCode, "Forbidden");
  await follow(bea, ann, false);
  await follow(ann, bea, false);
  await block(ann, bea, false);
  await follow(bea, ann);
});

Blocks("refuse the blocked user's answers, marks and reads, by reposts too, but not those of the blocker", async () => {
  const { people, social, statuses } = services.clients;
  const [status, own] = [await publish(services, ann), await publish(services, bea)];
  const { status: repost } = await statuses.repost({ userId: cy.id, status });
  await block(ann, bea);
  for (const [author, id] of [
    [ann, status.id],
    [cy, repost?.id ?? 0n],
  ] as const) {
    const one = { screenName: author.name, id };
    const answer = { inReplyToScreenName: author.name, inReplyToStatusId: id };
    for (const call of [
      () => people.socialStatus(one, as(bea)),
      () => people.markStatus({ userId: bea.id, ...one, favorited: true }),
      () => people.publishStatus({ userId: bea.id, text: "x", ...answer }),
    ])
      assert.equal(await refusal(call()), blockedYou, `${call} of ${author.name}`);
  }
  const shown = async (who: Person, viewer?: Person) =>
    (await social.socialUsers({ userIds: [who.id] }, as(viewer))).results.map(({ status }) => status?.id);
  assert.equal([await shown(ann, bea), await shown(ann), await shown(bea, ann)], [[undefined], [status.id], [own.id]]);
  assert.equal([await read(ann), await read(bea, ann)], [["hello"], ["hello"]]);
  await people.markStatus({ userId: ann.id, screenName: bea.name, id: own.id, favorited: true });
});

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

Blocks("leave a page full behind more hidden reposts than one step reads", async () => {
  const { statuses, social } = services.clients;
  for (const text of ["one", "two", "three", "four"]) await publish(services, cy, text);
  for (let index = 0; index < 60; index++) {
    await statuses.repost({ userId: cy.id, status: await publish(services, ann, `${index}`) });
  }
  await mute(bea, ann);
  const { results } = await social.socialTimelines({ screenName: cy.name, take: 3n }, as(bea));
  assert.equal(textsOf(results), ["four", "three", "two"]);
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
  const names = async (list: "socialBlocks" | "socialMutes", cursor = "") => {
    const { results, next } = await people[list]({ userId: ann.id, take: 2n, cursor });
    return { names: results.map(({ screenName }) => screenName), next };
  };
  for (const whom of [bea, cy, await person(services, "dan")]) {
    await block(ann, whom);
    await mute(ann, whom);
  }
  for (const list of ["socialBlocks", "socialMutes"] as const) {
    const { names: first, next } = await names(list);
    const second = await names(list, next);
    assert.equal([first.slice(1), second.names, second.next], [[cy.name], [bea.name], ""]);
    const other = list === "socialBlocks" ? "socialMutes" : "socialBlocks";
    assert.is((await refusalOf(people[other]({ userId: ann.id, cursor: next }))).errorCode, "RegularExpression");
  }
  await moderation.suspend({ userId: cy.id });
  assert.equal((await names("socialBlocks")).names.slice(1), []);
  await moderation.reinstate({ userId: cy.id });
  await block(ann, bea, false);
  assert.equal((await people.socialBlocks({ userId: ann.id })).results.length, 2);
  assert.equal((await people.socialBlocks({ userId: bea.id })).results, []);
  await moderation.suspend({ userId: ann.id });
  assert.equal((await people.socialBlocks({ userId: ann.id })).results.length, 2);
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

Blocks("refuse an answer that waited for its author's row while another process blocked the author", async () => {
  for (let round = 0; round < 5; round++) {
    const [who, whom] = [await person(services, "who"), await person(services, "whom")];
    const inReplyTo = await publish(services, whom);
    await whileLocked(services, [who.id], async (row) => {
      const late = refusal(services.clients.statuses.publishStatus({ authorId: who.id, text: "x", inReplyTo }));
      await row.waiting(1);
      await row.run(bothSides, [whom.id, who.id]);
      await row.commit();
      assert.equal(await late, blockedYou);
    });
  }
});

const bothSides = `with noted as (insert into social.blocked (blocker_id, user_id) values ($1, $2))
  insert into social.block (blocker_id, user_id) values ($1, $2)`;

Blocks("are deleted with either user", async () => {
  for (const gone of [ann, bea]) {
    const [, other] = gone === ann ? [ann, bea] : [bea, cy];
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
  assert.equal((await services.clients.people.socialBlocks({ userId: cy.id })).results, []);
});

Blocks.run();
