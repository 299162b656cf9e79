import { randomBytes } from "node:crypto";
import { publish } from "../support/people.ts";
import type { TestServices } from "../support/services.ts";
import { type AnnouncedCase, plainProfile, two } from "./announced-cases.ts";

/** A user whom an import has added, with a status that ann has reposted; and one more import of the user under another name. */
async function renamed(services: TestServices) {
  const { clients } = services;
  const word = randomBytes(4).toString("hex");
  const user = { id: BigInt(`0x${word}`), name: `old_${word}` };
  const names = [user.name, `new_${word}`, `newer_${word}`] as const;
  const rename = (screenName: string) => {
    const profiles = [{ userId: user.id, originId: word, profile: { ...plainProfile, screenName } }];
    return clients.imports.importProfiles({ origin: "x", profiles: profiles as never });
  };
  await rename(user.name);
  const { ann } = await two(services);
  const status = await publish(services, user);
  await clients.statuses.repost({ userId: ann.id, status });
  return { ...clients, ann, user, names, status, rename };
}

type Renamed = Awaited<ReturnType<typeof renamed>>;

const others: { what: string; write(of: Renamed): Promise<unknown> }[] = [
  { what: "publish", write: ({ statuses, user }) => statuses.publishStatus({ authorId: user.id, text: "new" }) },
  { what: "protect", write: ({ profiles, user }) => profiles.setProtected({ userId: user.id, protected: true }) },
  {
    what: "update the profile",
    write: ({ profiles, user }) =>
      profiles.updateProfile({ userId: user.id, profile: { location: "here" }, updateMask: { paths: ["location"] } }),
  },
  { what: "suspend", write: ({ moderation, user }) => moderation.suspend({ userId: user.id }) },
  { what: "delete the profile", write: ({ profiles, user }) => profiles.deleteProfile({ userId: user.id }) },
  { what: "delete a status", write: ({ statuses, status }) => statuses.deleteStatus(status) },
  { what: "rename once more", write: ({ rename, names }) => rename(names[2]) },
];

/** Writes about a user whose rename has not been announced yet. */
export const announcedRenamesCases: AnnouncedCase[] = [
  ...others.map(
    ({ what, write }): AnnouncedCase => ({
      title: `${what} after a rename`,
      async prepare(services) {
        const of = await renamed(services);
        return { names: [...of.names], first: () => of.rename(of.names[1]), second: () => write(of) };
      },
    }),
  ),
  ...others
    .filter(({ what }) => ["protect", "suspend", "delete the profile", "delete a status"].includes(what))
    .map(
      ({ what, write }): AnnouncedCase => ({
        title: `${what} of a user whose status a renamed user has reposted`,
        async prepare(services) {
          const of = await renamed(services);
          const { ann, bea, status, statuses, profiles } = await two(services);
          await statuses.repost({ userId: of.user.id, status });
          const asBea = { ...of, ann, user: bea, status, profiles };
          return { names: [...of.names], first: () => of.rename(of.names[1]), second: () => write(asBea) };
        },
      }),
    ),
];
