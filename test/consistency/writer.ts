import { randomBytes } from "node:crypto";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { pick } from "../support/pick.ts";
import { type Act, createWriters, type Writers } from "./clients.ts";
import type { Cluster } from "./cluster.ts";
import { createSubject, type Subject, statusesState } from "./facets.ts";
import type { History } from "./history.ts";
import { createViewer, type Viewer } from "./viewer.ts";

/** A user who is followed, and whose status is marked and reposted, but who does nothing. */
interface Anchor {
  userId: bigint;
  status: bigint;
}
const anchorCount = 4;

export type Writer = ReturnType<typeof createWriter>;

/** Changes users: of each facet of each user one change at a time, made by two writers. */
export function createWriter(cluster: Pick<Cluster, "socials" | "accounts">) {
  const writers = createWriters(cluster);
  const anchors: Anchor[] = [];

  async function createUser(index: number, screenName: string): Promise<Subject> {
    const userId = BigInt(index);
    const createdAt = timestampFromDate(new Date());
    await writers.one(({ profiles }) => profiles.createProfile({ userId, screenName, name: screenName, createdAt }));
    const status = await writers.one(publishing(userId));
    return createSubject(index, userId, screenName, status);
  }

  return {
    async create(count: number): Promise<Subject[]> {
      for (let index = 0; index < anchorCount; index++) {
        const { userId, statuses } = await createUser(1_000_000 + index, `anchor${index}`);
        anchors.push({ userId, status: statuses[0] as bigint });
      }
      const users: Subject[] = [];
      for (let index = 0; index < count; index++) users.push(await createUser(index + 1, `user${index}`));
      return users.map((user, index) => ({ ...user, index }));
    },
    /** For each facet of a user a function that makes its next change. */
    changes: (user: Subject) => ({
      statuses: statuses(writers, user, anchors),
      description: description(writers, user, anchors),
      protection: protection(writers, user, anchors),
      favourites: favourites(writers, user, anchors),
      friends: friends(writers, user, anchors),
    }),
    /** Creates viewers, and the two users whom they read. */
    async createViewers(count: number): Promise<Viewer[]> {
      const open = await createUser(2_000_000, "watched");
      const shy = await createUser(2_000_001, "shy");
      await writers.one(({ profiles }, requestId) =>
        profiles.setProtected({ requestId, userId: shy.userId, protected: true }),
      );
      return Promise.all(Array.from({ length: count }, (_, index) => createViewer(writers, index, open, shy)));
    },
    close: writers.close,
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
      const remove: Act<unknown> = (via, requestId) =>
        via.statuses.deleteStatus({ requestId, authorId: userId, id: newest });
      await writers.both(remove, () => show(before.filter((id) => id !== newest)));
    } else if (kind < 0.5 && repost !== undefined && before.length > 1) {
      const { id: gone, status } = repost;
      const undo: Act<unknown> = (via, requestId) => via.statuses.unrepost({ requestId, userId, status });
      await writers.both(undo, () => show(before.filter((id) => id !== gone)));
      repost = undefined;
    } else if (kind < 0.5 && repost === undefined) {
      const anchor = pick(anchors);
      const status = { authorId: anchor.userId, id: anchor.status };
      await writers.both(
        (via, requestId) => via.statuses.repost({ requestId, userId, status }),
        ({ status: made }) => {
          repost = { id: made?.id ?? 0n, status };
          show([...before, repost.id]);
        },
      );
    } else {
      // Under one request id: two would make two statuses.
      await writers.both(publishing(userId), (id) => show([...before, id]), true);
    }
  };
};

const description: Change = (writers, { userId, histories }) => {
  return () => {
    const description = randomBytes(4).toString("hex");
    const request = { userId, profile: { description }, updateMask: { paths: ["description"] } };
    return writers.change(histories.description, description, ({ profiles }, requestId) =>
      profiles.updateProfile({ requestId, ...request }),
    );
  };
};

const protection: Change = (writers, { userId, histories: { protection } }) => {
  return () => {
    const isProtected = protection.latest === "open";
    return writers.change(protection, isProtected ? "protected" : "open", ({ profiles }, requestId) =>
      profiles.setProtected({ requestId, userId, protected: isProtected }),
    );
  };
};

const favourites: Change = (writers, { userId, histories }, anchors) =>
  toggling(writers, histories.favourites, anchors, (anchor, isMade) => ({ statuses }, requestId) => {
    const status = { authorId: anchor.userId, id: anchor.status };
    return statuses[isMade ? "unfavorite" : "favorite"]({ requestId, userId, status });
  });

const friends: Change = (writers, { userId: followerId, histories }, anchors) =>
  toggling(
    writers,
    histories.friends,
    anchors,
    ({ userId }, isMade) =>
      ({ graph }, requestId) =>
        graph[isMade ? "unfollow" : "follow"]({ requestId, followerId, userId }),
  );

/** Makes something of an anchor, or undoes it; the history counts how many there are. */
function toggling(
  writers: Writers,
  history: History,
  anchors: readonly Anchor[],
  act: (anchor: Anchor, isMade: boolean) => Act<unknown>,
): () => Promise<void> {
  const made = new Set<Anchor>();
  return () => {
    const anchor = pick(anchors);
    const isMade = made.delete(anchor);
    if (!isMade) made.add(anchor);
    return writers.change(history, `${made.size}`, act(anchor, isMade));
  };
}

function publishing(authorId: bigint): Act<bigint> {
  return async ({ statuses }, requestId) => {
    const { status } = await statuses.publishStatus({ requestId, authorId, text: "hello" });
    return status?.id ?? 0n;
  };
}
