import { randomBytes } from "node:crypto";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { pick } from "../support/pick.ts";
import { type Clients, createWriters, type Writers } from "./clients.ts";
import { createSubject, type Subject, statusesState, type userFacets } from "./facets.ts";
import type { History } from "./history.ts";
import { createViewer, type Viewer } from "./viewer.ts";

/** Changes users: of each facet of each user one change at a time, made by two writers. */
export interface Writer {
  /** Creates users with one status each. */
  create(count: number): Promise<Subject[]>;
  /** For each facet of a user a function that makes its next change. */
  changes(user: Subject): Record<(typeof userFacets)[number], () => Promise<void>>;
  /** Creates viewers, and the two users whom they read. */
  createViewers(count: number): Promise<Viewer[]>;
  close(): void;
}

/** A user who is followed, and whose status is marked and reposted, but who does nothing. */
interface Anchor {
  userId: bigint;
  status: bigint;
}
const anchorCount = 4;

export function createWriter(urls: { socials: readonly string[]; accounts: readonly string[] }): Writer {
  const writers = createWriters(urls);
  const anchors: Anchor[] = [];

  async function createUser(index: number, screenName: string): Promise<Subject> {
    const userId = BigInt(index);
    const createdAt = timestampFromDate(new Date());
    await writers.one(({ profiles }) => profiles.createProfile({ userId, screenName, name: screenName, createdAt }));
    const status = await writers.one((via, requestId) => publish(via, requestId, userId));
    return createSubject(index, userId, screenName, status);
  }

  return {
    async create(count) {
      for (let index = 0; index < anchorCount; index++) {
        const { userId, statuses } = await createUser(1_000_000 + index, `anchor${index}`);
        anchors.push({ userId, status: statuses[0] as bigint });
      }
      const users: Subject[] = [];
      for (let index = 0; index < count; index++) users.push(await createUser(index + 1, `user${index}`));
      return users.map((user, index) => ({ ...user, index }));
    },
    changes: (user) => ({
      statuses: statuses(writers, user, anchors),
      description: description(writers, user, anchors),
      protection: protection(writers, user, anchors),
      favourites: favourites(writers, user, anchors),
      friends: friends(writers, user, anchors),
    }),
    async createViewers(count) {
      const open = await createUser(2_000_000, "watched");
      const shy = await createUser(2_000_001, "shy");
      await writers.one(({ profiles }, requestId) =>
        profiles.setProtected({ requestId, userId: shy.userId, protected: true }),
      );
      return Promise.all(Array.from({ length: count }, (_, index) => createViewer(writers, index, open, shy)));
    },
    close: () => writers.close(),
  };
}

type Change = (writers: Writers, user: Subject, anchors: readonly Anchor[]) => () => Promise<void>;

/** Publishes, deletes, reposts or undoes the repost. */
const statuses: Change = (writers, user, anchors) => {
  const { userId, histories } = user;
  const history = histories.statuses;
  const show = (next: bigint[]) => {
    user.statuses = next;
    history.acknowledge(statusesState(next));
  };
  let repost: { id: bigint; status: { authorId: bigint; id: bigint } } | undefined;
  return async () => {
    const before = user.statuses;
    const newest = before.at(-1) as bigint;
    const kind = Math.random();
    history.begin();
    if (kind < 0.2 && before.length > 1 && newest !== repost?.id) {
      const remove = (via: Clients, requestId: string) =>
        via.statuses.deleteStatus({ requestId, authorId: userId, id: newest });
      await writers.both(remove, () => show(before.filter((id) => id !== newest)));
    } else if (kind < 0.5 && repost !== undefined && before.length > 1) {
      const { id: gone, status } = repost;
      const unrepost = (via: Clients, requestId: string) => via.statuses.unrepost({ requestId, userId, status });
      await writers.both(unrepost, () => show(before.filter((id) => id !== gone)));
      repost = undefined;
    } else if (kind < 0.5 && repost === undefined) {
      const anchor = pick(anchors);
      const status = { authorId: anchor.userId, id: anchor.status };
      const again = (via: Clients, requestId: string) => via.statuses.repost({ requestId, userId, status });
      await writers.both(again, ({ status: made }) => {
        repost = { id: made?.id ?? 0n, status };
        show([...before, repost.id]);
      });
    } else {
      // Under one request id: two would make two statuses.
      const publishing = (via: Clients, requestId: string) => publish(via, requestId, userId);
      await writers.both(publishing, (id) => show([...before, id]), true);
    }
  };
};

const description: Change = (writers, { userId, histories }) => {
  return async () => {
    const description = randomBytes(4).toString("hex");
    histories.description.begin();
    await writers.both(
      ({ profiles }, requestId) =>
        profiles.updateProfile({
          requestId,
          userId,
          profile: { description },
          updateMask: { paths: ["description"] },
        }),
      () => histories.description.acknowledge(description),
    );
  };
};

const protection: Change = (writers, { userId, histories }) => {
  return async () => {
    const isProtected = histories.protection.latest === "open";
    histories.protection.begin();
    await writers.both(
      ({ profiles }, requestId) => profiles.setProtected({ requestId, userId, protected: isProtected }),
      () => histories.protection.acknowledge(isProtected ? "protected" : "open"),
    );
  };
};

/** Makes something of an anchor, or undoes it; the history counts how many there are. */
async function toggle(
  writers: Writers,
  { made, history, anchors }: { made: Set<Anchor>; history: History; anchors: readonly Anchor[] },
  act: (via: Clients, requestId: string, anchor: Anchor, isMade: boolean) => Promise<unknown>,
): Promise<void> {
  const anchor = pick(anchors);
  const isMade = made.has(anchor);
  history.begin();
  await writers.both(
    (via, requestId) => act(via, requestId, anchor, isMade),
    () => {
      if (isMade) made.delete(anchor);
      else made.add(anchor);
      history.acknowledge(`${made.size}`);
    },
  );
}

const favourites: Change = (writers, { userId, histories }, anchors) => {
  const made = new Set<Anchor>();
  return () =>
    toggle(writers, { made, history: histories.favourites, anchors }, ({ statuses }, requestId, anchor, isMade) => {
      const status = { authorId: anchor.userId, id: anchor.status };
      return statuses[isMade ? "unfavorite" : "favorite"]({ requestId, userId, status });
    });
};

const friends: Change = (writers, { userId: followerId, histories }, anchors) => {
  const made = new Set<Anchor>();
  return () =>
    toggle(writers, { made, history: histories.friends, anchors }, ({ graph }, requestId, { userId }, isMade) =>
      graph[isMade ? "unfollow" : "follow"]({ requestId, followerId, userId }),
    );
};

async function publish({ statuses }: Clients, requestId: string, authorId: bigint): Promise<bigint> {
  const { status } = await statuses.publishStatus({ requestId, authorId, text: "hello" });
  return status?.id ?? 0n;
}
