import { randomUUID } from "node:crypto";
import { create, type DescMessage, getOption } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { Access, access } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { rateLimitsOf } from "../../services/social/rpc/write.ts";
import { importStatuses } from "../support/imports.ts";
import { publish, usePeople } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { rpcs } from "../support/rpcs.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Limits = suite("limits of writes");
const services = useServices(Limits, {
  STATUSES_PER_3_HOURS: "3",
  FOLLOWS_PER_DAY: "2",
  MARKS_PER_DAY: "2",
  REPORTS_PER_DAY: "2",
  CHANGES_PER_DAY: "6",
});
const [ann, bea] = usePeople(Limits, services, "ann", "bea");
let status: { authorId: bigint; id: bigint };

Limits.before.each(async () => {
  status = await publish(services, bea);
});

const post = (requestId = randomUUID()) =>
  services.clients.statuses.publishStatus({ authorId: ann.id, text: "x", requestId });
const repost = () => services.clients.statuses.repost({ userId: ann.id, status });
const mark = (of = status) => services.clients.statuses.favorite({ userId: ann.id, status: of });
const unmark = () => services.clients.statuses.unfavorite({ userId: ann.id, status });
const follow = (userId = bea.id) => services.clients.graph.follow({ followerId: ann.id, userId });
const unfollow = () => services.clients.graph.unfollow({ followerId: ann.id, userId: bea.id });
const report = (reason: string) => services.clients.people.reportUser({ userId: ann.id, screenName: bea.name, reason });
const unknown = () => ({ authorId: bea.id, id: 5n });

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index++) await work();
}

/** The seconds that a refused write must wait. */
async function waitOf(call: Promise<unknown>): Promise<number> {
  assert.equal(await refusalOf(call), {
    code: "ResourceExhausted",
    errorCode: "TooManyRequests",
    message: "Too many requests.",
    fields: [],
  });
  const error = await call.catch((reason: unknown) => ConnectError.from(reason));
  return Number((error as ConnectError).metadata.get("retry-after"));
}

/** What counts for a limit, what is refused then, and what is not limited. */
const kinds: [
  what: string,
  writes: (() => Promise<unknown>)[],
  refused: () => Promise<unknown>,
  hours: number,
  undo?: () => Promise<unknown>,
][] = [
  ["statuses and reposts together", [post, post, repost], post, 3],
  ["follows of any user, also when they are undone", [follow, unfollow, follow], follow, 24, unfollow],
  ["marks, but not their undoing", [mark, unmark, unmark, unmark, mark], mark, 24, unmark],
  ["reports, also repeated ones", [() => report("spam"), () => report("still spam")], () => report("again"), 24],
];
for (const [what, writes, refused, hours, undo] of kinds) {
  Limits(`count ${what}, and return how long to wait`, async () => {
    for (const write of writes) await write();
    const wait = await waitOf(refused());
    assert.ok(wait > 3_590 * hours && wait <= 3_660 * hours, `${wait}`);
    await undo?.();
  });
}

Limits("count all other public writes together, also those that undo or find their work done", async () => {
  const { people } = services.clients;
  const block = (blocked: boolean) => people.blockUser({ userId: ann.id, screenName: bea.name, blocked });
  const write = () => people.updateProfile({ userId: ann.id, location: "here" });
  await times(2, () => block(false));
  await times(2, write);
  await people.followUser({ userId: ann.id, screenName: bea.name, following: false });
  await people.updateProfile({ userId: ann.id, lang: "?" }).catch(() => {});
  await people.deleteStatus({ userId: ann.id, id: (await post()).status?.id ?? 0n });
  for (const more of [write, () => block(true)]) assert.ok((await waitOf(more())) > 86_300);
  await people.updateProfile({ userId: ann.id });
  await follow();
});

Limits("do not count repeated requests, also at the limit", async () => {
  const requestId = randomUUID();
  const first = await post(requestId);
  await times(5, () => post(requestId));
  await times(2, post);
  await waitOf(post());
  assert.equal(await post(requestId), first);
});

Limits("do not count writes that fail or are refused", async () => {
  await times(5, () => mark(unknown()).catch(() => {}));
  await times(5, () => follow(1n).catch(() => {}));
  await times(2, mark);
  await times(2, follow);
  await times(5, () => waitOf(mark()));
});

Limits("refuse a write without storing its request id", async () => {
  await times(3, post);
  const before = await services.database.query("select count(*)::int from social.request");
  await waitOf(post());
  assert.equal(await services.database.query("select count(*)::int from social.request"), before);
});

Limits("hold for concurrent writes", async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => post()));
  assert.is(outcomes.filter((outcome) => outcome.status === "fulfilled").length, 3);
});

Limits("count no kind for a write of two kinds of which one is refused", async () => {
  const markAs = (marks: { favorited: boolean; retweeted?: boolean }) =>
    services.clients.people.markStatus({ userId: ann.id, screenName: bea.name, id: status.id, ...marks });
  await markAs({ favorited: true, retweeted: true });
  await times(2, post);
  await waitOf(markAs({ favorited: true, retweeted: true }));
  await markAs({ favorited: false, retweeted: false });
  await markAs({ favorited: true });
  await waitOf(markAs({ favorited: true }));
});

Limits("do not apply to imports", async () => {
  const statuses = Array.from({ length: 8 }, (_, index) => ({ originId: `${index + 1}`, authorId: ann.id }));
  assert.equal(await importStatuses(services, statuses), Array(8).fill("ADDED"));
  await post();
});

Limits("are defined for every write of a user, or it is listed as free", () => {
  const free = new Set(["UpdateProfile", "DeleteStatus", "AnswerFollower", "BlockUser", "MuteUser"]);
  const writes = rpcs.filter(
    (method) =>
      method.parent.typeName.startsWith("social.") &&
      getOption(method, access) === Access.USER &&
      method.input.field.requestId !== undefined,
  );
  assert.ok(writes.length >= 9);
  // With both marks, since the marks of MarkStatus decide which limits apply.
  const asked = (input: DescMessage) => create(input, { favorited: true, retweeted: true } as never);
  for (const method of writes) {
    const limited = rateLimitsOf(method, asked(method.input));
    if (free.has(method.name)) assert.equal(limited, ["changes"], `${method}`);
    else assert.ok(limited.length > 0 && !limited.includes("changes"), `${method}`);
  }
});

Limits.run();
