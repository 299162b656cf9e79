import { randomBytes } from "node:crypto";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { importProfiles, importStatuses, jobOf } from "../support/imports.ts";
import { person, publish } from "../support/people.ts";
import type { TestServices } from "../support/services.ts";

/** A write that changes what pages show. */
export interface ChangingWrite {
  title: string;
  prepare(services: TestServices): Promise<{
    /** The users whose pages may change. */
    names: readonly string[];
    /** The users who see other users differently afterwards. */
    viewers?: readonly bigint[];
    write(): Promise<unknown>;
  }>;
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

type Act = (on: Stage) => Promise<unknown>;

/** A write after those of `before`, one after the other. */
function changing(title: string, write: Act, ...before: Act[]): ChangingWrite {
  return {
    title,
    async prepare(services) {
      const on = await setTheStage(services);
      for (const act of before) await act(on);
      return { names: [on.ann.name, on.bea.name], viewers: [on.ann.id, on.bea.id], write: () => write(on) };
    },
  };
}

const follow: Act = ({ graph, pair }) => graph.follow(pair);
const followBack: Act = ({ graph, ann, bea }) => graph.follow({ followerId: bea.id, userId: ann.id });
const removeFollower: Act = ({ graph, pair }) => graph.removeFollower(pair);
const block: Act = ({ people, aboutBea }) => people.blockUser(aboutBea);
const mute: Act = ({ people, aboutBea }) => people.muteUser(aboutBea);
const protect: Act = ({ profiles, bea }) => profiles.setProtected({ userId: bea.id, protected: true });
const unprotect: Act = ({ profiles, bea }) => profiles.setProtected({ userId: bea.id, protected: false });
const favorite: Act = ({ statuses, mark }) => statuses.favorite(mark);
const favoriteOwn: Act = ({ statuses, bea, status }) => statuses.favorite({ userId: bea.id, status });
const repost: Act = ({ statuses, mark }) => statuses.repost(mark);
const remove: Act = ({ statuses, status }) => statuses.deleteStatus(status);
const suspend: Act = ({ moderation, bea }) => moderation.suspend({ userId: bea.id });
const reinstate: Act = ({ moderation, bea }) => moderation.reinstate({ userId: bea.id });
const deleteProfile: Act = ({ profiles, bea }) => profiles.deleteProfile({ userId: bea.id });
const location = { profile: { location: "here" }, updateMask: { paths: ["location"] } };

const relations = [
  changing("follow", follow),
  changing("unfollow", ({ graph, pair }) => graph.unfollow(pair), follow),
  changing("ask to follow", follow, protect),
  changing("approve a follower", ({ graph, pair }) => graph.approveFollower(pair), protect, follow),
  changing("reject a follower", removeFollower, protect, follow),
  changing("remove a follower", removeFollower, follow),
  changing("set notifications", ({ graph, pair }) => graph.setNotifications({ ...pair, notifications: true }), follow),
  changing("block a follower and friend", block, follow, followBack),
  changing("end a block", ({ people, aboutBea }) => people.blockUser({ ...aboutBea, blocked: false }), block),
  changing("mute a user", mute),
  changing("end a mute", ({ people, aboutBea }) => people.muteUser({ ...aboutBea, muted: false }), mute),
];

const statuses = [
  changing("publish", ({ services, ann }) => publish(services, ann, "new")),
  changing("reply", ({ statuses, ann, status: inReplyTo }) =>
    statuses.publishStatus({ authorId: ann.id, text: "reply", inReplyTo }),
  ),
  changing("delete a status", remove),
  changing("delete a status that was reposted", remove, repost),
  changing("delete a status that was marked", remove, favorite),
  changing("delete a status that its author has marked", remove, favoriteOwn),
  changing("repost", repost),
  changing("unrepost", ({ statuses, mark }) => statuses.unrepost(mark), repost),
  changing("favorite", favorite),
  changing("unfavorite", ({ statuses, mark }) => statuses.unfavorite(mark), favorite),
];

const profiles: ChangingWrite[] = [
  changing("update a profile", ({ profiles, ann }) => profiles.updateProfile({ userId: ann.id, ...location })),
  changing("verify", ({ profiles, ann }) => profiles.setVerified({ userId: ann.id, verified: true })),
  changing("protect a user", protect),
  changing("protect a user who was reposted", protect, repost),
  changing("end the protection of a user who was reposted", unprotect, repost, protect),
  changing("suspend a user who was reposted", suspend, repost),
  changing("reinstate a user who was reposted", reinstate, repost, suspend),
  changing("delete a profile", deleteProfile),
  changing("delete a profile that was followed, marked and reposted", deleteProfile, follow, favorite, repost),
  creating("create a profile", async () => `new_${word()}`),
  creating("give a name to another user", async (services) => (await person(services, "ann")).name),
];

/** The creation of a profile with such a name. */
function creating(title: string, chooseName: (services: TestServices) => Promise<string>): ChangingWrite {
  return {
    title,
    async prepare(services) {
      const screenName = await chooseName(services);
      const createdAt = timestampFromDate(new Date("2020-01-01"));
      const profile = { userId: newId(), screenName, name: "N", createdAt };
      return { names: [screenName], write: () => services.clients.profiles.createProfile(profile) };
    },
  };
}

const word = () => randomBytes(4).toString("hex");
const newId = () => BigInt(`0x${randomBytes(5).toString("hex")}`);

/** The import of a profile with other fields than those of the one before, which had only a name. */
function importing(what: string, change: object, isRenamed = false): ChangingWrite {
  return {
    title: `import a profile with ${what}`,
    async prepare(services) {
      const [userId, tag] = [newId(), word()];
      const screenName = `old_${tag}`;
      const write = (fields: object) => importProfiles(services, { userId, profile: { screenName, ...fields } });
      await write({});
      const newName = `new_${tag}`;
      const renamed = isRenamed ? { screenName: newName } : {};
      return { names: [screenName, newName], write: () => write({ ...change, ...renamed }) };
    },
  };
}

const jobOfAnn = ({ ann }: Stage) => jobOf(ann.id, "changing");
const importStatus =
  (text: string): Act =>
  (on) =>
    importStatuses(on.services, [{ authorId: on.ann.id, originId: "1", status: { text } }], jobOfAnn(on));

const imports = [
  importing("another name", {}, true),
  importing("other counters", { followersCount: 7 }),
  importing("a protection", { protected: true }),
  changing("import a status", importStatus("imported")),
  changing("import another text of a status", importStatus("other"), importStatus("imported")),
  changing("undo an import", (on) => on.imports.undoImport(jobOfAnn(on)), importStatus("imported")),
];

/** The writes of all services that change profiles, timelines or what a viewer sees of them. */
export const changingWrites: readonly ChangingWrite[] = [...relations, ...statuses, ...profiles, ...imports];
