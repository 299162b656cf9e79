import type { StatusKey } from "../../services/social/store/statuses/find-status.ts";
import type { TestServices } from "../support/services.ts";
import { type AnnouncedCase, twice, two } from "./announced-cases.ts";

type Two = Awaited<ReturnType<typeof two>>;

/** What hides a user's status from all pages, also from those of users who have reposted it. */
const hidden: { how: string; hide(of: Two): Promise<unknown> }[] = [
  { how: "suspend a user", hide: ({ services, bea }) => services.clients.moderation.suspend({ userId: bea.id }) },
  { how: "protect a user", hide: ({ profiles, bea }) => profiles.setProtected({ userId: bea.id, protected: true }) },
  { how: "delete a profile", hide: ({ profiles, bea }) => profiles.deleteProfile({ userId: bea.id }) },
  { how: "delete a status", hide: ({ statuses, status }) => statuses.deleteStatus(status) },
];

const takenBack: { what: string; takeBack(of: Two, repost: StatusKey): Promise<unknown> }[] = [
  { what: "its own operation", takeBack: ({ statuses, ann, status }) => statuses.unrepost({ userId: ann.id, status }) },
  { what: "deleting it as a status", takeBack: ({ statuses }, repost) => statuses.deleteStatus(repost) },
  {
    what: "marking the status",
    takeBack: ({ people, ann, bea, status }) =>
      people.markStatus({ userId: ann.id, screenName: bea.name, id: status.id, retweeted: false }),
  },
];

/** Blocks, mutes and suspensions. */
export const announcedModerationCases: AnnouncedCase[] = [
  ...twice("block a user", async (services) => {
    const { people, graph, ann, bea } = await two(services);
    await graph.follow({ followerId: ann.id, userId: bea.id });
    await graph.follow({ followerId: bea.id, userId: ann.id });
    const write = (id: object) => people.blockUser({ ...id, userId: ann.id, screenName: bea.name });
    return { names: [ann.name, bea.name], viewers: [ann.id, bea.id], write };
  }),
  ...twice("end a block", async (services) => {
    const { people, ann, bea } = await two(services);
    await people.blockUser({ userId: ann.id, screenName: bea.name });
    const write = (id: object) => people.blockUser({ ...id, userId: ann.id, screenName: bea.name, blocked: false });
    return { names: [bea.name], viewers: [ann.id, bea.id], write };
  }),
  ...twice("mute a user", async (services) => {
    const { people, ann, bea } = await two(services);
    const write = (id: object) => people.muteUser({ ...id, userId: ann.id, screenName: bea.name });
    return { names: [bea.name], viewers: [ann.id], write };
  }),
  ...[0, 1].flatMap((announced) =>
    (["suspend", "reinstate"] as const).map((how) => ({
      title: `${how} a user, cut off before ${announced === 0 ? "the first" : "the second"} announcement`,
      announced,
      async prepare(services: Parameters<AnnouncedCase["prepare"]>[0]) {
        const { statuses, ann, bea, status } = await two(services);
        const { moderation } = services.clients;
        await statuses.repost({ userId: ann.id, status });
        if (how === "reinstate") await moderation.suspend({ userId: bea.id });
        const write = () => moderation[how]({ userId: bea.id });
        return { names: [ann.name, bea.name], first: write, second: write };
      },
    })),
  ),
  {
    title: "refuse what a suspended user writes",
    async prepare(services) {
      const { people, ann } = await two(services);
      const first = () => services.clients.moderation.suspend({ userId: ann.id });
      const second = () => people.publishStatus({ userId: ann.id, text: "x" });
      return { names: [ann.name], first, second, refusal: /Your account is suspended/ };
    },
  },
  {
    title: "refuse to mark a status of a suspended user",
    async prepare(services) {
      const { people, ann, bea, status } = await two(services);
      const first = () => services.clients.moderation.suspend({ userId: bea.id });
      const second = () => people.markStatus({ userId: ann.id, screenName: bea.name, id: status.id, favorited: true });
      return { names: [bea.name], first, second, refusal: /This user is suspended/ };
    },
  },
  {
    title: "refuse to follow across a block",
    async prepare(services) {
      const { people, ann, bea } = await two(services);
      await people.followUser({ userId: ann.id, screenName: bea.name });
      const first = () => people.blockUser({ userId: bea.id, screenName: ann.name });
      const second = () => people.followUser({ userId: ann.id, screenName: bea.name });
      return { names: [ann.name, bea.name], viewers: [ann.id, bea.id], first, second, refusal: /a block between/ };
    },
  },
  ...hidden.flatMap(({ how, hide }) =>
    takenBack.map(({ what, takeBack }) => ({
      title: `${how} after a repost was taken back by ${what}`,
      async prepare(services: TestServices) {
        const named = await two(services);
        const { statuses, ann, bea, status } = named;
        const { status: repost } = await statuses.repost({ userId: ann.id, status });
        const key = { authorId: ann.id, id: repost?.id ?? 0n };
        // The users whose pages show the text. A page of the author itself shows the change in any case.
        return {
          names: [ann.name, bea.name],
          first: () => takeBack(named, key),
          second: () => hide(named),
        };
      },
    })),
  ),
];
