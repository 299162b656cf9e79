import { suite } from "uvu";
import * as assert from "uvu/assert";
import { strongHashes } from "../support/launch.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

const Overload = suite("more passwords than can be hashed in time");
let system: TestSystem;

Overload.before(async () => {
  system = await startTestSystem({ ...strongHashes, PASSWORD_QUEUE_MS: "1" });
});
Overload.after(() => system.stop());

const register = (userName: string) =>
  fetch(`${system.url}/register`, { method: "POST", body: JSON.stringify({ userName, password: "correct horse" }) });

Overload("are partly served, and the others get 429 with Retry-After", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `crowd${index}`);
  const [replies, signIns] = await Promise.all([
    Promise.all(names.map(register)),
    Promise.all(
      names.map((userNameOrEmail) =>
        refusalOf(system.clients.sessions.signIn({ userNameOrEmail, password: "some password" })),
      ),
    ),
  ]);
  const statuses = replies.map((reply) => reply.status);
  assert.ok(statuses.includes(200) && statuses.includes(429));
  assert.ok(statuses.every((status) => status === 200 || status === 429));
  for (const reply of replies.filter(({ status }) => status === 429)) {
    assert.match(reply.headers.get("retry-after") ?? "", /^\d+$/);
    const { responseStatus } = (await reply.json()) as { responseStatus: { errorCode: string } };
    assert.is(responseStatus.errorCode, "TooManyRequests");
  }
  assert.ok(signIns.some(({ code }) => code === "ResourceExhausted"));
  assert.ok(signIns.every(({ code }) => code === "ResourceExhausted" || code === "Unauthenticated"));
});

Overload("do not affect requests after them", async () => {
  assert.is((await register("afterwards")).status, 200);
});

Overload.run();
