// One process of churn.ts: runs random actions, a few at a time, and reports their results.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { randomNumbers } from "../../../bench/load/random.ts";
import { ResponseStatusSchema } from "../../../proto/gen/contract/v1/response_status_pb.ts";
import { PeopleService } from "../../../proto/gen/social/people/v1/people_service_pb.ts";
import { ModerationService } from "../../../proto/gen/social/v1/moderation_service_pb.ts";
import { SocialService } from "../../../proto/gen/social/v1/social_service_pb.ts";
import { createGraph, createStatuses } from "../../support/by-id.ts";
import type { WorkerTask } from "./churn.ts";
import { asUser, callWithRetries, connect } from "./writers.ts";

const [task] = (await once(process, "message")) as [WorkerTask];
const { transport, close } = connect(task.socialUrl);
const act = createActions(transport, task.people.map(BigInt), task.seed);
const counts: Record<string, number> = {};
let left = task.actions;
await Promise.all(
  Array.from({ length: 4 }, async () => {
    while (left-- > 0) {
      const answer = await act().then(
        () => "Ok",
        (error: unknown) => Code[ConnectError.from(error).code] ?? "Unknown",
      );
      counts[answer] = (counts[answer] ?? 0) + 1;
    }
  }),
);
close();
process.send?.(counts, () => process.disconnect());

/**
 * Does one random action of one random user. Follows, marks and reposts are undone as often as done. A suspension is ended at
 * once; otherwise soon all users would be suspended.
 */
function createActions(transport: Transport, people: readonly bigint[], seed: number): () => Promise<unknown> {
  const [graph, statuses, social, blocks, moderation] = [
    createGraph(transport),
    createStatuses(transport),
    createClient(SocialService, transport),
    createClient(PeopleService, transport),
    createClient(ModerationService, transport),
  ];
  const random = randomNumbers(seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const known: { authorId: bigint; id: bigint }[] = [];

  async function publish() {
    const authorId = pick(people);
    const request = { requestId: randomUUID(), authorId, text: "churn" };
    const { status } = await callWithRetries(() => statuses.publishStatus(request, asUser(authorId)));
    note({ authorId, id: status?.id ?? 0n });
  }

  // Also other processes' statuses, so that all act on the same ones; few, so that they conflict.
  async function look() {
    const userIds = Array.from({ length: 20 }, () => pick(people));
    const { results } = await callWithRetries(() => social.socialUsers({ userIds }));
    for (const { id, status } of results) if (status !== undefined) note({ authorId: id, id: status.id });
  }

  function note(status: { authorId: bigint; id: bigint }) {
    if (known.push(status) > 60) known.splice(Math.floor(random() * known.length), 1);
  }

  async function relate(action: "follow" | "unfollow") {
    const [followerId, userId] = [pick(people), pick(people)];
    const request = { requestId: randomUUID(), followerId, userId };
    if (followerId !== userId) await callWithRetries<unknown>(() => graph[action](request, asUser(followerId)));
  }

  async function block(blocked: boolean) {
    const [userId, other] = [pick(people), pick(people)];
    const [user] = (await callWithRetries(() => social.socialUsers({ userIds: [other] }))).results;
    if (user === undefined || userId === other) return;
    const request = { requestId: randomUUID(), userId, screenName: user.screenName, blocked };
    await callWithRetries(() => blocks.blockUser(request, asUser(userId)));
  }

  async function suspend() {
    const userId = pick(people);
    await unlessOpposed(() => moderation.suspend({ userId }));
    await unlessOpposed(() => moderation.reinstate({ userId }));
  }

  async function mark(action: "favorite" | "unfavorite" | "repost" | "unrepost") {
    if (known.length === 0) return publish();
    const userId = pick(people);
    const request = { requestId: randomUUID(), userId, status: pick(known) };
    return callWithRetries<unknown>(() => statuses[action](request, asUser(userId)));
  }

  async function remove() {
    if (known.length === 0) return publish();
    const [status] = known.splice(Math.floor(random() * known.length), 1);
    if (status === undefined) return;
    const request = { requestId: randomUUID(), ...status };
    await callWithRetries(() => statuses.deleteStatus(request, asUser(status.authorId)));
  }

  const actions: [number, () => Promise<unknown>][] = [
    [14, () => relate("follow")],
    [12, () => relate("unfollow")],
    [18, () => mark("favorite")],
    [12, () => mark("unfavorite")],
    [14, () => mark("repost")],
    [8, () => mark("unrepost")],
    [10, publish],
    [8, remove],
    [4, look],
    [3, () => block(true)],
    [3, () => block(false)],
    [1, suspend],
  ];
  const lots = actions.flatMap(([weight, action]) => Array.from({ length: weight }, () => action));
  return () => pick(lots)();
}

/** Another process may request the opposite meanwhile, and win. */
async function unlessOpposed(call: () => Promise<unknown>): Promise<void> {
  try {
    await callWithRetries(call);
  } catch (error) {
    const [status] = ConnectError.from(error).findDetails(ResponseStatusSchema);
    if (status?.errorCode !== "Conflict") throw error;
  }
}
