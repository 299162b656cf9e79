import { type AnnouncedCase, two } from "./announced-cases.ts";

type Two = Awaited<ReturnType<typeof two>>;

/** Replies of ann to bea's status. */
const replies: { what: string; write(of: Two): Promise<unknown> }[] = [
  {
    what: "reply to",
    write: ({ statuses, ann, status }) =>
      statuses.publishStatus({ authorId: ann.id, text: "reply", inReplyTo: status }),
  },
  {
    what: "reply by name to",
    write: ({ people, ann, bea, status }) =>
      people.publishStatus({
        userId: ann.id,
        text: "reply",
        inReplyToScreenName: bea.name,
        inReplyToStatusId: status.id,
      }),
  },
];

/** Answers that another user has just made possible or impossible. */
export const announcedOthersCases: AnnouncedCase[] = [
  ...replies.map(
    ({ what, write }): AnnouncedCase => ({
      title: `${what} a user who is protected no longer`,
      async prepare(services) {
        const of = await two(services);
        await of.profiles.setProtected({ userId: of.bea.id, protected: true });
        const first = () => of.profiles.setProtected({ userId: of.bea.id, protected: false });
        return { names: [of.bea.name], first, second: () => write(of) };
      },
    }),
  ),
  ...replies.map(
    ({ what, write }): AnnouncedCase => ({
      title: `${what} a protected user who has just approved the follower`,
      async prepare(services) {
        const of = await two(services);
        const pair = { followerId: of.ann.id, userId: of.bea.id };
        await of.profiles.setProtected({ userId: of.bea.id, protected: true });
        await of.graph.follow(pair);
        const first = () => of.graph.approveFollower(pair);
        return { names: [of.bea.name], viewers: [of.ann.id], first, second: () => write(of) };
      },
    }),
  ),
  {
    title: "refuse a profile by the id of a user who was suspended",
    async prepare(services) {
      const { bea, profiles } = await two(services);
      const first = () => services.clients.moderation.suspend({ userId: bea.id });
      return { names: [bea.name], first, second: () => profiles.getProfile({ userId: bea.id }), refusal: /suspended/ };
    },
  },
  {
    title: "refuse a profile by the id of a user who was deleted",
    async prepare(services) {
      const { bea, profiles } = await two(services);
      const first = () => profiles.deleteProfile({ userId: bea.id });
      return { names: [bea.name], first, second: () => profiles.getProfile({ userId: bea.id }), refusal: /no user/ };
    },
  },
];
