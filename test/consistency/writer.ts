import { randomUUID } from "node:crypto";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { ProfileService } from "../../proto/gen/social/v1/profile_service_pb.ts";
import { StatusService } from "../../proto/gen/social/v1/status_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { actingTransport } from "../support/acting-transport.ts";
import { History } from "./history.ts";
import { closed, sightOf } from "./read.ts";

/** Writes to users, each to one user at a time, through one of several social services. */
export interface Writer {
  /** Makes a user with one status. */
  create(userId: bigint, screenName: string): Promise<Written>;
  /** One write of some kind, acknowledged. */
  write(user: Written, dice: () => number): Promise<void>;
  close(): void;
}

/** A user as its writer knows it. */
export interface Written {
  userId: bigint;
  screenName: string;
  history: History;
  /** Newest last. */
  statuses: bigint[];
  description: string;
  isProtected: boolean;
}

export function createWriter(urls: readonly string[]): Writer {
  const transports = urls.map((baseUrl) => createServiceTransport({ baseUrl, caller: "test", deadlineMs: 30_000 }));
  const services = transports.map(({ transport }) => {
    const acting = actingTransport(transport);
    return { profiles: createClient(ProfileService, acting), statuses: createClient(StatusService, acting) };
  });

  async function publish(via: Services, { userId }: { userId: bigint }): Promise<bigint> {
    const requestId = randomUUID();
    const { status } = await repeated(() => via.statuses.publishStatus({ requestId, authorId: userId, text: "hello" }));
    return status?.id ?? 0n;
  }

  async function change(via: Services, user: Written, kind: number): Promise<void> {
    const { userId, statuses } = user;
    const requestId = randomUUID();
    if (kind < 0.6 || statuses.length < 2) statuses.push(await publish(via, user));
    else if (kind < 0.75) {
      const id = statuses.at(-1) as bigint;
      await repeated(() => via.statuses.deleteStatus({ requestId, authorId: userId, id }));
      statuses.pop();
    } else if (kind < 0.9) {
      const description = requestId.slice(0, 8);
      const updateMask = { paths: ["description"] };
      await repeated(() => via.profiles.updateProfile({ requestId, userId, profile: { description }, updateMask }));
      user.description = description;
    } else {
      const isProtected = !user.isProtected;
      await repeated(() => via.profiles.setProtected({ requestId, userId, protected: isProtected }));
      user.isProtected = isProtected;
    }
  }

  return {
    async create(userId, screenName) {
      const [via] = services as [Services];
      const createdAt = timestampFromDate(new Date());
      await repeated(() => via.profiles.createProfile({ userId, screenName, name: screenName, createdAt }));
      const statuses = [await publish(via, { userId })];
      const history = new History(sightOf(statuses[0], "", 1));
      return { userId, screenName, history, statuses, description: "", isProtected: false };
    },
    async write(user, dice) {
      user.history.begin();
      const via = services[Math.floor(dice() * services.length)] as Services;
      await change(via, user, dice());
      user.history.acknowledge(
        user.isProtected ? closed : sightOf(user.statuses.at(-1), user.description, user.statuses.length),
      );
    },
    close() {
      for (const { close } of transports) close();
    },
  };
}

interface Services {
  profiles: Client<typeof ProfileService>;
  statuses: Client<typeof StatusService>;
}

/** The same request again while its outcome is not known: its id makes that one write. */
async function repeated<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const { code } = ConnectError.from(error);
      if (attempt === 20 || ![Code.Unavailable, Code.Aborted, Code.DeadlineExceeded].includes(code)) throw error;
    }
  }
}
