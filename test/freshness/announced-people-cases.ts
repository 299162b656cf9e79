import { randomUUID } from "node:crypto";
import { person } from "../support/people.ts";
import type { TestServices } from "../support/services.ts";
import { type AnnouncedCase, twice, two } from "./announced-cases.ts";

/** The public writes: an answer shows a user or a status, and so asserts the user's state. */
export const announcedPeopleCases: AnnouncedCase[] = [
  ...twice("follow a user", async (services) => {
    const { people, ann, bea } = await two(services);
    const write = (id: object) => people.followUser({ ...id, userId: ann.id, screenName: bea.name });
    return { names: [ann.name, bea.name], viewers: [ann.id], write };
  }),
  ...twice("answer a follower", async (services) => {
    const { people, ann, bea } = await two(services);
    await people.updateProfile({ userId: bea.id, protected: true });
    await people.followUser({ userId: ann.id, screenName: bea.name });
    const write = (id: object) =>
      people.answerFollower({ ...id, userId: bea.id, screenName: ann.name, approved: true });
    return { names: [ann.name, bea.name], viewers: [ann.id, bea.id], write };
  }).slice(1),
  {
    title: "refuse to answer a follower twice",
    async prepare(services) {
      const { people, ann, bea } = await two(services);
      await people.updateProfile({ userId: bea.id, protected: true });
      await people.followUser({ userId: ann.id, screenName: bea.name });
      const write = () => people.answerFollower({ userId: bea.id, screenName: ann.name, approved: true });
      const seen = { names: [ann.name, bea.name], viewers: [ann.id, bea.id] };
      return { ...seen, first: write, second: write, refusal: /has not asked to follow/ };
    },
  },
  ...twice("mark a status", async (services) => {
    const { people, ann, bea, status } = await two(services);
    const marks = { favorited: true, retweeted: true };
    const write = (id: object) =>
      people.markStatus({ ...id, userId: ann.id, screenName: bea.name, id: status.id, ...marks });
    return { names: [ann.name, bea.name], viewers: [ann.id], write };
  }),
  ...twice("mark a status by a repost of it", async (services) => {
    const { people, ann, bea, status } = await two(services);
    const byAnn = { userId: ann.id, screenName: bea.name, id: status.id };
    await people.markStatus({ ...byAnn, retweeted: true });
    const repost = (await services.clients.social.socialTimelines({ screenName: ann.name })).results[0]?.id ?? 0n;
    const write = (id: object) =>
      people.markStatus({ ...id, userId: bea.id, screenName: ann.name, id: repost, retweeted: true });
    return { names: [ann.name, bea.name], viewers: [bea.id], write };
  }),
  ...twice("publish a status of one's own", async (services) => {
    const { people, ann } = await two(services);
    return { names: [ann.name], write: (id) => people.publishStatus({ ...id, userId: ann.id, text: "new" }) };
  }).slice(1),
  ...twice("delete a status of one's own", async (services) => {
    const { people, bea, status } = await two(services);
    return { names: [bea.name], write: (id) => people.deleteStatus({ ...id, userId: bea.id, id: status.id }) };
  }).slice(1),
  ...twice("update the own profile", async (services) => {
    const { people, ann } = await two(services);
    const write = (id: object) => people.updateProfile({ ...id, userId: ann.id, location: "here", protected: true });
    return { names: [ann.name], viewers: [ann.id], write };
  }),
  ...[0, 1].flatMap((announced) =>
    (["another request", "the same request"] as const).map((again) => ({
      title: `protect a reposted user, as ${again}, cut off before ${announced === 0 ? "the first" : "the second"} announcement`,
      announced,
      async prepare(services: TestServices) {
        const { people, statuses, ann, bea, status } = await two(services);
        await statuses.repost({ userId: ann.id, status });
        const first = { userId: bea.id, protected: true, requestId: randomUUID() };
        const second = again === "the same request" ? first : { ...first, requestId: randomUUID() };
        return {
          names: [ann.name, bea.name],
          first: () => people.updateProfile(first),
          second: () => people.updateProfile(second),
        };
      },
    })),
  ),
  {
    title: "refuse to answer a repost of a user who was protected",
    announced: 1,
    async prepare(services) {
      const { people, statuses, ann, bea, status } = await two(services);
      const { status: repost } = await statuses.repost({ userId: ann.id, status });
      const cy = await person(services, "cy");
      const first = () => people.updateProfile({ userId: bea.id, protected: true });
      const answer = { text: "x", inReplyToScreenName: ann.name, inReplyToStatusId: repost?.id ?? 0n };
      const second = () => people.publishStatus({ userId: cy.id, ...answer });
      return { names: [ann.name, bea.name], first, second, refusal: /protected user/ };
    },
  },
  {
    title: "refuse to delete a status twice",
    async prepare(services) {
      const { people, bea, status } = await two(services);
      const write = () => people.deleteStatus({ userId: bea.id, id: status.id });
      return { names: [bea.name], first: write, second: write, refusal: /no such status/ };
    },
  },
  {
    title: "refuse to follow a name of a deleted user",
    async prepare(services) {
      const { people, profiles, ann, bea } = await two(services);
      const first = () => profiles.deleteProfile({ userId: bea.id });
      const second = () => people.followUser({ userId: ann.id, screenName: bea.name });
      return { names: [bea.name], first, second, refusal: /no user of that name/ };
    },
  },
  {
    title: "refuse to answer a status of a user who was protected",
    async prepare(services) {
      const { people, ann, bea, status } = await two(services);
      const first = () => people.updateProfile({ userId: bea.id, protected: true });
      const answer = { text: "x", inReplyToScreenName: bea.name, inReplyToStatusId: status.id };
      const second = () => people.publishStatus({ userId: ann.id, ...answer });
      return { names: [bea.name], first, second, refusal: /protected user/ };
    },
  },
];
