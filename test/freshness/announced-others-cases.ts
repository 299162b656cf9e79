import { type AnnouncedCase, two } from "./announced-cases.ts";

type Two = Awaited<ReturnType<typeof two>>;

/** Writes of ann that succeed only since bea's statuses can be read again. */
const allowed: { what: string; write(of: Two): Promise<unknown> }[] = [
  { what: "follow", write: ({ graph, ann, bea }) => graph.follow({ followerId: ann.id, userId: bea.id }) },
  { what: "favorite a status of", write: ({ statuses, ann, status }) => statuses.favorite({ userId: ann.id, status }) },
  { what: "repost a status of", write: ({ statuses, ann, status }) => statuses.repost({ userId: ann.id, status }) },
  {
    what: "reply to a status of",
    write: ({ statuses, ann, status }) =>
      statuses.publishStatus({ authorId: ann.id, text: "reply", inReplyTo: status }),
  },
  {
    what: "reply by name to a status of",
    write: ({ people, ann, bea, status }) =>
      people.publishStatus({
        userId: ann.id,
        text: "reply",
        inReplyToScreenName: bea.name,
        inReplyToStatusId: status.id,
      }),
  },
];

/** Answers that depend on the state of another user, who has just changed it. */
export const announcedOthersCases: AnnouncedCase[] = [
  ...allowed.map(
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
  ...allowed.slice(1).map(
    ({ what, write }): AnnouncedCase => ({
      title: `${what} a protected user who has just approved the follower`,
      async prepare(services) {
        const of = await two(services);
        const pair = { followerId: of.ann.id, userId: of.bea.id };
        await of.profiles.setProtected({ userId: of.bea.id, protected: true });
        await of.graph.follow(pair);
        const isRefused = what.startsWith("repost");
        return {
          names: [of.bea.name],
          viewers: [of.ann.id],
          first: () => of.graph.approveFollower(pair),
          second: () => write(of),
          ...(isRefused && { refusal: /protected user/ }),
        };
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
