import { randomBytes } from "node:crypto";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { importProfiles, importStatuses } from "../support/imports.ts";
import { person, publish } from "../support/people.ts";
import type { TestServices } from "../support/services.ts";

/** A write that changes what pages show. */
export interface ChangingWrite {
  title: string;
  prepare(services: TestServices): Promise<Prepared>;
}

interface Prepared {
  /** The users whose pages may change. */
  names: readonly string[];
  /** The users who see other users differently afterwards. */
  viewers?: readonly bigint[];
  write(): Promise<unknown>;
}

type Stage = Awaited<ReturnType<typeof setTheStage>>;

/** Two users, and a status of the second. */
async function setTheStage(services: TestServices) {
  const [ann, bea] = [await person(services, "ann"), await person(services, "bea")];
  const status = await publish(services, bea);
  const pair = { followerId: ann.id, userId: bea.id };
  const mark = { userId: ann.id, status };
  const aboutBea = { userId: ann.id, screenName: bea.name };
  return { ...services.clients, services, ann, bea, status, pair, mark, aboutBea };
}

function changing(
  title: string,
  write: (on: Stage) => Promise<unknown>,
  before: (on: Stage) => Promise<unknown> = async () => {},
): ChangingWrite {
  return {
    title,
    async prepare(services) {
      const on = await setTheStage(services);
      await before(on);
      return { names: [on.ann.name, on.bea.name], viewers: [on.ann.id, on.bea.id], write: () => write(on) };
    },
  };
}

const follow = ({ graph, pair }: Stage) => graph.follow(pair);
const protect = ({ profiles, bea }: Stage) => profiles.setProtected({ userId: bea.id, protected: true });
const unprotect = ({ profiles, bea }: Stage) => profiles.setProtected({ userId: bea.id, protected: false });
const ask = async (on: Stage) => [await protect(on), await follow(on)];
const favorite = ({ statuses, mark }: Stage) => statuses.favorite(mark);
const repost = ({ statuses, mark }: Stage) => statuses.repost(mark);
const suspend = ({ moderation, bea }: Stage) => moderation.suspend({ userId: bea.id });
const location = { profile: { location: "here" }, updateMask: { paths: ["location"] } };

const relations = [
  changing("follow", follow),
  changing("unfollow", ({ graph, pair }) => graph.unfollow(pair), follow),
  changing("ask to follow", follow, protect),
  changing("approve a follower", ({ graph, pair }) => graph.approveFollower(pair), ask),
  changing("reject a follower", ({ graph, pair }) => graph.removeFollower(pair), ask),
  changing("remove a follower", ({ graph, pair }) => graph.removeFollower(pair), follow),
  changing("set notifications", ({ graph, pair }) => graph.setNotifications({ ...pair, notifications: true }), follow),
  changing(
    "block a follower and friend",
    ({ people, aboutBea }) => people.blockUser(aboutBea),
    async (on) => [await follow(on), await on.graph.follow({ followerId: on.bea.id, userId: on.ann.id })],
  ),
  changing(
    "end a block",
    ({ people, aboutBea }) => people.blockUser({ ...aboutBea, blocked: false }),
    ({ people, aboutBea }) => people.blockUser(aboutBea),
  ),
  changing("mute a user", ({ people, aboutBea }) => people.muteUser(aboutBea)),
  changing(
    "end a mute",
    ({ people, aboutBea }) => people.muteUser({ ...aboutBea, muted: false }),
    ({ people, aboutBea }) => people.muteUser(aboutBea),
  ),
];

const statuses = [
  changing("publish", ({ statuses, ann }) => statuses.publishStatus({ authorId: ann.id, text: "new" })),
  changing("reply", ({ statuses, ann, status }) =>
    statuses.publishStatus({ authorId: ann.id, text: "reply", inReplyTo: status }),
  ),
  changing("delete a status", ({ statuses, status }) => statuses.deleteStatus(status)),
  changing("delete a status that was reposted", ({ statuses, status }) => statuses.deleteStatus(status), repost),
  changing("delete a status that was marked", ({ statuses, status }) => statuses.deleteStatus(status), favorite),
  changing(
    "delete a status that its author has marked",
    ({ statuses, status }) => statuses.deleteStatus(status),
    ({ statuses, bea, status }) => statuses.favorite({ userId: bea.id, status }),
  ),
  changing("repost", repost),
  changing("unrepost", ({ statuses, mark }) => statuses.unrepost(mark), repost),
  changing("favorite", favorite),
  changing("unfavorite", ({ statuses, mark }) => statuses.unfavorite(mark), favorite),
];

const profiles = [
  changing("update a profile", ({ profiles, ann }) => profiles.updateProfile({ userId: ann.id, ...location })),
  changing("verify", ({ profiles, ann }) => profiles.setVerified({ userId: ann.id, verified: true })),
  changing("protect a user", protect),
  changing("protect a user who was reposted", protect, repost),
  changing("end the protection of a user who was reposted", unprotect, async (on) => [
    await repost(on),
    await protect(on),
  ]),
  changing("suspend a user who was reposted", suspend, repost),
  changing(
    "reinstate a user who was reposted",
    ({ moderation, bea }) => moderation.reinstate({ userId: bea.id }),
    async (on) => [await repost(on), await suspend(on)],
  ),
  changing("delete a profile", ({ profiles, bea }) => profiles.deleteProfile({ userId: bea.id })),
  changing(
    "delete a profile that was followed, marked and reposted",
    ({ profiles, bea }) => profiles.deleteProfile({ userId: bea.id }),
    async (on) => [await follow(on), await favorite(on), await repost(on)],
  ),
  {
    title: "create a profile",
    async prepare({ clients }) {
      const [userId, screenName] = [newId(), `new_${word()}`];
      const createdAt = timestampFromDate(new Date("2020-01-01"));
      const write = () => clients.profiles.createProfile({ userId, screenName, name: "N", createdAt });
      return { names: [screenName], write };
    },
  },
  {
    title: "give a name to another user",
    async prepare(services) {
      const ann = await person(services, "ann");
      const createdAt = timestampFromDate(new Date("2020-01-01"));
      const profile = { userId: newId(), screenName: ann.name, name: "N", createdAt };
      return { names: [ann.name], write: () => services.clients.profiles.createProfile(profile) };
    },
  },
] satisfies ChangingWrite[];

const word = () => randomBytes(4).toString("hex");
const newId = () => BigInt(`0x${randomBytes(5).toString("hex")}`);

async function importedUser(services: TestServices) {
  const [userId, tag] = [newId(), word()];
  const write = (profile: object) => importProfiles(services, { userId, profile });
  const name = `old_${tag}`;
  await write({ screenName: name });
  return { name, newName: `new_${tag}`, write };
}

const job = randomBytes(16);
const importStatus = ({ services, ann }: Stage, text: string) =>
  importStatuses(services, [{ authorId: ann.id, originId: "1", status: { text } }], {
    job: { id: job, authorId: ann.id },
  });

const imports = [
  ...[
    { what: "another name", fields: (newName: string) => ({ screenName: newName }) },
    { what: "other counters", fields: (_: string, name: string) => ({ screenName: name, followersCount: 7 }) },
    { what: "a protection", fields: (_: string, name: string) => ({ screenName: name, protected: true }) },
  ].map(
    ({ what, fields }): ChangingWrite => ({
      title: `import a profile with ${what}`,
      async prepare(services) {
        const { name, newName, write } = await importedUser(services);
        return { names: [name, newName], write: () => write(fields(newName, name)) };
      },
    }),
  ),
  changing("import a status", (on) => importStatus(on, "imported")),
  changing(
    "import another text of a status",
    (on) => importStatus(on, "other"),
    (on) => importStatus(on, "imported"),
  ),
  changing(
    "undo an import",
    ({ imports, ann }) => imports.undoImport({ job: { id: job, authorId: ann.id } }),
    (on) => importStatus(on, "imported"),
  ),
];

/** The writes of all services that change profiles, timelines or what a viewer sees of them. */
export const changingWrites: readonly ChangingWrite[] = [...relations, ...statuses, ...profiles, ...imports];
