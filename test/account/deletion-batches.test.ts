import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { ProfileService } from "../../proto/gen/social/v1/profile_service_pb.ts";
import { serveRpc } from "../../services/platform/connect/server.ts";
import { unavailable } from "../../services/platform/errors.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { createLog } from "../../services/platform/log.ts";
import { eventually } from "../support/eventually.ts";
import { password } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Batches = suite("deletion in batches");
let services: TestServices;
/** A social service whose answer to each call for a batch is chosen by the test. */
let socialService: Running;
let answers: (() => { complete: boolean } | Promise<{ complete: boolean }>)[] = [];
/** Users for whom it does not answer. */
const held = new Set<bigint>();

Batches.before(async () => {
  socialService = await serveRpc({ host: "127.0.0.1", port: 0, log: createLog("test", "silent") }, (router) =>
    router.service(ProfileService, {
      createProfiles: () => ({}),
      deleteProfile: ({ userId }) => {
        const answer = held.has(userId) ? undefined : answers.shift();
        if (answer === undefined) throw unavailable();
        return answer();
      },
    }),
  );
  services = await startTestServices({ SOCIAL_URL: socialService.url });
});
Batches.after(async () => {
  await services.stop();
  await socialService.close();
});

Batches("repeats batches, also after a failure, until all data is deleted, and then frees the name", async () => {
  const { account } = services.clients;
  const { userId } = await account.registration({ userName: "Big", password });
  const more = () => ({ complete: false });
  const down = () => {
    throw unavailable();
  };
  let isLast = false;
  const last = () => ({ complete: isLast });
  answers = [more, down, more, more, ...Array.from({ length: 10_000 }, () => last)];
  const { deletion: first } = await account.deleteAccount({ userId });
  assert.equal([first?.complete, first?.batches], [false, 1]);

  const progress = async () => (await account.getDeletion({ userId })).deletion;
  for (let look = 0; look < 600 && ((await progress())?.batches ?? 0) < 5; look++) await sleep(50);
  assert.is((await refusalOf(account.registration({ userName: "big", password }))).errorCode, "AlreadyExists");
  isLast = true;
  for (let look = 0; look < 600 && !(await progress())?.complete; look++) await sleep(50);
  const { complete, batches = 0 } = (await progress()) ?? {};
  assert.ok(complete && batches >= 5, `${batches} batches`);
  assert.is((await account.registration({ userName: "big", password })).userName, "big");
});

Batches("completes the deletion of no other user", async () => {
  const { account } = services.clients;
  const isComplete = async (userId: bigint) => (await account.getDeletion({ userId })).deletion?.complete === true;
  const { userId: waiting } = await account.registration({ userName: "waiting", password });
  const { userId: other } = await account.registration({ userName: "other", password });
  held.add(waiting);
  await account.deleteAccount({ userId: waiting });
  answers = [() => ({ complete: true })];
  await account.deleteAccount({ userId: other });
  await eventually("the end of the other deletion", () => isComplete(other));
  assert.not(await isComplete(waiting));
  held.clear();
  answers = [() => ({ complete: true })];
  await eventually("the end", () => isComplete(waiting));
});

Batches("continues after a pause in which its job was considered abandoned", async () => {
  const { account } = services.clients;
  const ends: ((answer: { complete: boolean }) => void)[] = [];
  const pause = () => new Promise<{ complete: boolean }>((resolve) => ends.push(resolve));
  const userIds: bigint[] = [];
  // As many as run at once: another worker that is free would take the job again before it is lost.
  for (const userName of ["first", "second", "third", "fourth"]) {
    answers = [() => ({ complete: false })];
    const { userId } = await account.registration({ userName, password });
    await account.deleteAccount({ userId });
    userIds.push(userId);
  }
  answers = [pause, pause, pause, pause, ...Array.from({ length: 4 }, () => () => ({ complete: true }))];
  await eventually("four jobs", async () => ends.length === 4);
  await services.database.query("update account_jobs._private_jobs set locked_at = null, locked_by = null");
  ends.shift()?.({ complete: false });
  await sleep(300);
  for (const end of ends) end({ complete: true });
  for (const userId of userIds) {
    await eventually("the end", async () => (await account.getDeletion({ userId })).deletion?.complete === true);
  }
});

Batches.run();
