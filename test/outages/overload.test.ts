import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { strongHashes } from "../support/launch.ts";
import { refusalOf } from "../support/refusal.ts";
import { suite } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";

const Overload = suite("more passwords than can be hashed in time");
const system = useSystem(Overload, { ...strongHashes, PASSWORD_QUEUE_MS: "1" });

const register = (userName: string) =>
  fetch(`${system.url}/register`, { method: "POST", body: JSON.stringify({ userName, password: "correct horse" }) });

Overload("are partly served, and the others get 429 with Retry-After", async () => {
  const replies: Response[] = [];
  const signIns: { code: string }[] = [];
  // Who comes while no turn is free depends on the machine: all of one crowd may be served, or refused.
  await eventually("some are served and others refused", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `crowd${replies.length + index}`);
    const signIn = (userName: string) =>
      refusalOf(system.clients.accountPeople.authenticate({ userName, password: "some password" }));
    const [registered, refused] = await Promise.all([Promise.all(names.map(register)), Promise.all(names.map(signIn))]);
    replies.push(...registered);
    signIns.push(...refused);
    const seen = new Set(replies.map(({ status }) => status));
    return seen.has(200) && seen.has(429) && signIns.some(({ code }) => code === "ResourceExhausted");
  });
  const statuses = replies.map((reply) => reply.status);
  assert.ok(statuses.every((status) => status === 200 || status === 429));
  for (const reply of replies.filter(({ status }) => status === 429)) {
    assert.match(reply.headers.get("retry-after") ?? "", /^\d+$/);
    const { responseStatus } = (await reply.json()) as { responseStatus: { errorCode: string } };
    assert.is(responseStatus.errorCode, "TooManyRequests");
  }
  assert.ok(signIns.every(({ code }) => code === "ResourceExhausted" || code === "Unauthenticated"));
});

Overload("do not affect requests after them", async () => {
  assert.is((await register("afterwards")).status, 200);
});

Overload.run();
