import { suite } from "uvu";
import * as assert from "uvu/assert";
import { person } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";

const MissingActor = suite("an actor without a profile");
let services: TestServices;

MissingActor.before(async () => {
  services = await startTestServices();
});
MissingActor.after(() => services.stop());

/** What the operations of signed-in people tell this user. */
async function codesFor(userId: bigint, screenName: string): Promise<(string | undefined)[]> {
  const { people } = services.clients;
  const calls = [
    people.publishStatus({ userId, text: "x" }),
    people.followUser({ userId, screenName }),
    people.blockUser({ userId, screenName }),
    people.updateProfile({ userId }),
    people.updateProfile({ userId, location: "x" }),
    people.followRequests({ userId }),
  ];
  return Promise.all(calls.map(async (call) => (await refusalOf(call)).code));
}

MissingActor("is told to wait: the profile of a new user follows", async () => {
  const { name } = await person(services, "ann");
  assert.equal(await codesFor(9_999_999n, name), Array(6).fill("Unavailable"));
});

MissingActor("is told to sign in once it is deleted, since the session is over as well", async () => {
  const [{ name }, gone] = [await person(services, "ann"), await person(services, "gone")];
  await services.clients.profiles.deleteProfile({ userId: gone.id });
  assert.equal(await codesFor(gone.id, name), Array(6).fill("Unauthenticated"));
});

MissingActor.run();
