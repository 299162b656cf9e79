import { randomBytes, randomUUID } from "node:crypto";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { person, publish } from "../support/people.ts";
import type { TestServices } from "../support/services.ts";

/** Two writes, of which the second changes nothing, since the first has made the change. */
export interface AnnouncedCase {
  title: string;
  /** The number of announcements of the first write before one is stopped; by default 0. */
  announced?: number;
  prepare(services: TestServices): Promise<Prepared>;
}

interface Prepared {
  first(): Promise<unknown>;
  second(): Promise<unknown>;
  /** The users who are read afterwards. */
  names: string[];
  /** The viewers whose tokens change. */
  viewers?: bigint[];
  /** The error of the second write; by default it succeeds. */
  refusal?: RegExp;
}

type Request = { requestId: string };
type Write = (request: Request) => Promise<unknown>;

/** Two cases of a repeated write: under another request id, and under the same. */
export function twice(
  title: string,
  prepare: (services: TestServices) => Promise<{ names: string[]; viewers?: bigint[]; write: Write }>,
) {
  const again = (name: string, idOf: (first: string) => string): AnnouncedCase => ({
    title: `${title}, ${name}`,
    async prepare(services) {
      const { write, ...seen } = await prepare(services);
      const requestId = randomUUID();
      return { ...seen, first: () => write({ requestId }), second: () => write({ requestId: idOf(requestId) }) };
    },
  });
  return [again("as another request", () => randomUUID()), again("as the same request", (id) => id)];
}

/** Two users, and a status of the second. */
export async function two(services: TestServices) {
  const [ann, bea] = [await person(services, "ann"), await person(services, "bea")];
  return { ...services.clients, services, ann, bea, status: await publish(services, bea) };
}

/** Two users, the second protected; the first has requested to follow the second, or not yet. */
async function asked(services: TestServices, isAsked: "asked" | "none yet" = "asked") {
  const { graph, profiles, ann, bea } = await two(services);
  const pair = { followerId: ann.id, userId: bea.id };
  await profiles.setProtected({ userId: bea.id, protected: true });
  if (isAsked === "asked") await graph.follow(pair);
  return { graph, pair };
}

const createdAt = timestampFromDate(new Date("2020-01-01"));
const colour = "000000";
/** The fields of an imported profile that have no default. */
export const plainProfile = {
  name: "N",
  lang: "en",
  createdAt: "Wed Aug 27 13:08:45 +0000 2008",
  profileBackgroundColor: colour,
  profileSidebarBorderColor: colour,
  profileSidebarFillColor: colour,
  profileLinkColor: colour,
  profileTextColor: colour,
};

async function imported({ imports }: TestServices["clients"], authorId: bigint, job: { id: Buffer; authorId: bigint }) {
  const status = { createdAt: plainProfile.createdAt, text: "imported" };
  const statuses = [{ authorId, originId: "1", status }] as never;
  return imports.importStatuses({ origin: "x", job, statuses });
}

const graphCases: AnnouncedCase[] = [
  ...twice("follow", async (services) => {
    const { graph, ann, bea } = await two(services);
    return {
      names: [ann.name],
      viewers: [ann.id],
      write: (id) => graph.follow({ ...id, followerId: ann.id, userId: bea.id }),
    };
  }),
  ...twice("unfollow", async (services) => {
    const { graph, ann, bea } = await two(services);
    const pair = { followerId: ann.id, userId: bea.id };
    await graph.follow(pair);
    return { names: [ann.name], viewers: [ann.id], write: (id) => graph.unfollow({ ...id, ...pair }) };
  }),
  ...twice("approve a follower", async (services) => {
    const { graph, profiles, ann, bea } = await two(services);
    const pair = { followerId: ann.id, userId: bea.id };
    await profiles.setProtected({ userId: bea.id, protected: true });
    await graph.follow(pair);
    return { names: [ann.name, bea.name], viewers: [ann.id], write: (id) => graph.approveFollower({ ...id, ...pair }) };
  }),
  ...twice("remove a follower", async (services) => {
    const { graph, ann, bea } = await two(services);
    const pair = { followerId: ann.id, userId: bea.id };
    await graph.follow(pair);
    return { names: [ann.name, bea.name], viewers: [ann.id], write: (id) => graph.removeFollower({ ...id, ...pair }) };
  }),
  ...twice("ask to follow", async (services) => {
    const { graph, pair } = await asked(services, "none yet");
    return { names: [], viewers: [pair.followerId], write: (id) => graph.follow({ ...id, ...pair }) };
  }),
  ...twice("reject a follower", async (services) => {
    const { graph, pair } = await asked(services);
    return { names: [], viewers: [pair.followerId], write: (id) => graph.rejectFollower({ ...id, ...pair }) };
  }),
  ...twice("set notifications", async (services) => {
    const { graph, ann, bea } = await two(services);
    const pair = { followerId: ann.id, userId: bea.id };
    await graph.follow(pair);
    const write: Write = (id) => graph.setNotifications({ ...id, ...pair, notifications: true });
    return { names: [], viewers: [ann.id], write };
  }),
];

const statusCases: AnnouncedCase[] = [
  ...twice("publish", async (services) => {
    const { statuses, ann } = await two(services);
    return { names: [ann.name], write: (id) => statuses.publishStatus({ ...id, authorId: ann.id, text: "new" }) };
  }).slice(1),
  ...twice("delete a status", async (services) => {
    const { statuses, bea, status } = await two(services);
    return { names: [bea.name], write: (id) => statuses.deleteStatus({ ...id, ...status }) };
  }),
  ...twice("delete a status that was reposted", async (services) => {
    const { statuses, ann, status } = await two(services);
    await statuses.repost({ userId: ann.id, status });
    return { names: [ann.name], write: (id) => statuses.deleteStatus({ ...id, ...status }) };
  }).map((announcedCase) => ({ ...announcedCase, announced: 1 })),
  ...twice("repost", async (services) => {
    const { statuses, ann, status } = await two(services);
    return { names: [ann.name], viewers: [ann.id], write: (id) => statuses.repost({ ...id, userId: ann.id, status }) };
  }),
  ...twice("unrepost", async (services) => {
    const { statuses, ann, status } = await two(services);
    await statuses.repost({ userId: ann.id, status });
    return {
      names: [ann.name],
      viewers: [ann.id],
      write: (id) => statuses.unrepost({ ...id, userId: ann.id, status }),
    };
  }),
  ...twice("favorite", async (services) => {
    const { statuses, ann, status } = await two(services);
    return {
      names: [ann.name],
      viewers: [ann.id],
      write: (id) => statuses.favorite({ ...id, userId: ann.id, status }),
    };
  }),
  ...twice("unfavorite", async (services) => {
    const { statuses, ann, status } = await two(services);
    await statuses.favorite({ userId: ann.id, status });
    return {
      names: [ann.name],
      viewers: [ann.id],
      write: (id) => statuses.unfavorite({ ...id, userId: ann.id, status }),
    };
  }),
];

const profileCases: AnnouncedCase[] = [
  ...twice("update a profile", async (services) => {
    const { profiles, ann } = await two(services);
    const update = { userId: ann.id, profile: { location: "here" }, updateMask: { paths: ["location"] } };
    return { names: [ann.name], write: (id) => profiles.updateProfile({ ...id, ...update }) };
  }),
  ...twice("protect", async (services) => {
    const { profiles, ann } = await two(services);
    return { names: [ann.name], write: (id) => profiles.setProtected({ ...id, userId: ann.id, protected: true }) };
  }),
  ...twice("verify", async (services) => {
    const { profiles, ann } = await two(services);
    return { names: [ann.name], write: (id) => profiles.setVerified({ ...id, userId: ann.id, verified: true }) };
  }),
  ...twice("create a profile", async ({ clients }) => {
    const screenName = `new_${randomBytes(4).toString("hex")}`;
    const profile = { userId: BigInt(`0x${randomBytes(5).toString("hex")}`), screenName, name: "N", createdAt };
    return { names: [screenName], write: () => clients.profiles.createProfile(profile) };
  }).slice(0, 1),
  ...twice("create two profiles", async ({ clients }) => {
    const names = [1, 2].map(() => `new_${randomBytes(4).toString("hex")}`);
    const profiles = names.map((screenName) => {
      return { userId: BigInt(`0x${randomBytes(5).toString("hex")}`), screenName, name: "N", createdAt };
    });
    return { names, write: () => clients.profiles.createProfiles({ profiles }) };
  }).slice(0, 1),
  ...twice("delete a profile", async (services) => {
    const { profiles, bea } = await two(services);
    return { names: [bea.name], write: () => profiles.deleteProfile({ userId: bea.id }) };
  }).slice(0, 1),
  ...twice("delete a profile whose statuses were reposted", async (services) => {
    const { profiles, statuses, ann, bea, status } = await two(services);
    await statuses.repost({ userId: ann.id, status });
    return { names: [ann.name], write: () => profiles.deleteProfile({ userId: bea.id }) };
  })
    .slice(0, 1)
    .map((announcedCase) => ({ ...announcedCase, announced: 1 })),
];

const importCases: AnnouncedCase[] = [
  ...twice("import a profile under another name", async ({ clients: { imports } }) => {
    const word = randomBytes(4).toString("hex");
    const userId = BigInt(`0x${word}`);
    const write = (screenName: string) => {
      const profiles = [{ userId, originId: word, profile: { ...plainProfile, screenName } }];
      return imports.importProfiles({ origin: "x", profiles: profiles as never });
    };
    await write(`old_${word}`);
    return { names: [`old_${word}`, `new_${word}`], write: () => write(`new_${word}`) };
  }).slice(0, 1),
  ...twice("import a status", async (services) => {
    const { clients, ann } = { ...services, ...(await two(services)) };
    const job = { authorId: ann.id, id: randomBytes(16) };
    return { names: [ann.name], write: () => imported(clients, ann.id, job) };
  }).slice(0, 1),
  ...twice("undo an import", async (services) => {
    const { clients, ann } = { ...services, ...(await two(services)) };
    const job = { authorId: ann.id, id: randomBytes(16) };
    await imported(clients, ann.id, job);
    return { names: [ann.name], write: () => clients.imports.undoImport({ job }) };
  }).slice(0, 1),
];

const refusalCases: AnnouncedCase[] = [
  {
    title: "refuse to favorite a status that was deleted",
    async prepare(services) {
      const { statuses, ann, bea, status } = await two(services);
      const second = () => statuses.favorite({ userId: ann.id, status });
      return { names: [bea.name], first: () => statuses.deleteStatus(status), second, refusal: /no such status/ };
    },
  },
  {
    title: "refuse to follow a user who was deleted",
    async prepare(services) {
      const { profiles, graph, ann, bea } = await two(services);
      const first = () => profiles.deleteProfile({ userId: bea.id });
      const second = () => graph.follow({ followerId: ann.id, userId: bea.id });
      return { names: [bea.name], first, second, refusal: /no user with that id/ };
    },
  },
  {
    title: "refuse to repost a status of a user who was protected",
    async prepare(services) {
      const { profiles, statuses, ann, bea, status } = await two(services);
      const first = () => profiles.setProtected({ userId: bea.id, protected: true });
      return {
        names: [bea.name],
        first,
        second: () => statuses.repost({ userId: ann.id, status }),
        refusal: /protected user/,
      };
    },
  },
  {
    title: "refuse notifications for a user who does not follow any more",
    async prepare(services) {
      const { graph, ann, bea } = await two(services);
      const pair = { followerId: ann.id, userId: bea.id };
      await graph.follow(pair);
      return {
        names: [ann.name],
        viewers: [ann.id],
        first: () => graph.removeFollower(pair),
        second: () => graph.setNotifications({ ...pair, notifications: true }),
        refusal: /Only a follower/,
      };
    },
  },
  {
    title: "refuse to change a profile that has another version",
    async prepare(services) {
      const { profiles, ann } = await two(services);
      const update = { userId: ann.id, profile: { location: "here" }, updateMask: { paths: ["location"] } };
      const write = () => profiles.updateProfile({ ...update, ifVersion: 1n });
      return { names: [ann.name], first: write, second: write, refusal: /its version is 2/ };
    },
  },
];

/** The writes whose answer asserts a state that a page shows. */
export const announcedCases = [...graphCases, ...statusCases, ...profileCases, ...importCases, ...refusalCases];
