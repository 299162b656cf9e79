import { type CallOptions, type Client, createClient, type Transport } from "@connectrpc/connect";
import { PeopleService } from "../../proto/gen/social/people/v1/people_service_pb.ts";
import { ProfileService } from "../../proto/gen/social/v1/profile_service_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import type { UserSummary } from "../../proto/gen/social/v1/statuses_pb.ts";
import { viewerHeader } from "../../services/platform/connect/identity.ts";

type Once = { requestId?: string };
type Pair = Once & { followerId: bigint; userId: bigint };
type Key = { authorId: bigint; id: bigint };
type Mark = Once & { userId: bigint; status: Key | undefined };
type Page = { userId: bigint; pageSize?: number; cursor?: string };
type Details = { inReplyTo?: Key | undefined; source?: string; lang?: string; mediaUrls?: string[] };
type NewStatus = Once & Details & { authorId: bigint; text: string; point?: { latitude: number; longitude: number } };
type Mask = { updateMask: { paths: string[] }; ifVersion?: bigint };
type Change = Once & Mask & { userId: bigint; profile: Partial<UserSummary> };

/** Follows and their lists, of PeopleService, with users by id. */
export function createGraph(transport: Transport) {
  const people = createClient(PeopleService, transport);
  const follow = (following: boolean, notifications?: boolean) => {
    return ({ followerId, userId, requestId }: Pair, options?: CallOptions) => {
      const optional = given({ notifications, requestId });
      return people.followUser({ userId: followerId, subjectId: userId, following, ...optional }, options);
    };
  };
  const answer = (approved: boolean) => {
    return ({ followerId, userId, requestId }: Pair, options?: CallOptions) =>
      people.answerFollower({ userId, subjectId: followerId, approved, ...given({ requestId }) }, options);
  };
  return {
    follow: follow(true),
    unfollow: follow(false),
    setNotifications: ({ notifications, ...pair }: Pair & { notifications: boolean }) =>
      follow(true, notifications)(pair),
    approveFollower: answer(true),
    removeFollower: answer(false),
    listFollowers: async (page: Page, options?: CallOptions) =>
      listed(await people.socialFollowers({ subjectId: page.userId, ...paging(page) }, options)),
    listFriends: async (page: Page, options?: CallOptions) =>
      listed(await people.socialFriends({ subjectId: page.userId, ...paging(page) }, options)),
  };
}

/** Statuses and their marks, likewise. */
export function createStatuses(transport: Transport) {
  const people = createClient(PeopleService, transport);
  const mark = (marks: { favorited?: boolean; retweeted?: boolean }) => {
    return ({ userId, status, requestId }: Mark, options?: CallOptions) => {
      const { authorId: subjectId, id } = status ?? { authorId: 0n, id: 0n };
      return people.markStatus({ userId, subjectId, id, ...marks, ...given({ requestId }) }, options);
    };
  };
  return {
    async publishStatus({ authorId, inReplyTo, point, ...rest }: NewStatus, options?: CallOptions) {
      const reply = inReplyTo && { inReplyToUserId: inReplyTo.authorId, inReplyToStatusId: inReplyTo.id };
      const { results } = await people.publishStatus({ userId: authorId, ...rest, ...reply, ...point }, options);
      return { status: results[0] };
    },
    deleteStatus: ({ authorId, id, requestId }: Once & Key, options?: CallOptions) =>
      people.deleteStatus({ userId: authorId, id, ...given({ requestId }) }, options),
    async getStatus({ status: { authorId: subjectId, id } }: { status: Key }, options?: CallOptions) {
      const { results, lang } = await people.socialStatus({ subjectId, id }, options);
      return { status: results[0], lang };
    },
    favorite: mark({ favorited: true }),
    unfavorite: mark({ favorited: false }),
    unrepost: mark({ retweeted: false }),
    /** Gives the repost, which the reply does not show: the user's newest status with its text. */
    async repost(request: Mark, options?: CallOptions) {
      await mark({ retweeted: true })(request, options);
      const { userId, status: { authorId: subjectId, id } = { authorId: 0n, id: 0n } } = request;
      const social = createClient(SocialService, transport);
      // As the user: nobody else sees a protected user's statuses.
      const own = { ...options, headers: { [viewerHeader]: `${userId}` } };
      const [original] = (await people.socialStatus({ subjectId, id }, own)).results;
      const [user] = (await social.socialUsers({ userIds: [userId] }, own)).results;
      const { results } = await social.socialTimelines({ screenName: user?.screenName ?? "", take: 200n }, own);
      const text = `RT @${original?.user?.screenName}: ${original?.text}`;
      // A long one is cut, with "…" at its end.
      const isIt = (shown: string) => shown === text || (shown.endsWith("…") && text.startsWith(shown.slice(0, -1)));
      return { status: results.find((one) => isIt(one.text)) };
    },
  };
}

/** Profiles, with the writes of their users. */
export function createProfiles(transport: Transport) {
  const people = createClient(PeopleService, transport);
  const profiles: Client<typeof ProfileService> = createClient(ProfileService, transport);
  async function changed(request: Parameters<typeof people.updateProfile>[0], options?: CallOptions) {
    const { results, version } = await people.updateProfile(request, options);
    return { profile: results[0], version };
  }
  return {
    ...profiles,
    setProtected: (request: Once & { userId: bigint; protected: boolean }, options?: CallOptions) =>
      changed(request, options),
    updateProfile({ userId, profile, updateMask: { paths }, ifVersion, requestId }: Change, options?: CallOptions) {
      const names = paths.map((path) => path.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
      const values = names.map((name) => [name, valueOf(profile[name as keyof UserSummary])]);
      return changed({ userId, ...Object.fromEntries(values), ...given({ ifVersion, requestId }) }, options);
    },
  };
}

/** An unset field is cleared; numbers are decimal texts. */
function valueOf(value: unknown): unknown {
  return value === undefined ? "" : typeof value === "number" ? String(value) : value;
}

function listed<User>({ results, next }: { results: User[]; next: string }) {
  return { users: results, nextCursor: next };
}

function paging({ pageSize, cursor }: Page) {
  return given({ take: pageSize === undefined ? undefined : BigInt(pageSize), cursor });
}

function given<T extends object>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
