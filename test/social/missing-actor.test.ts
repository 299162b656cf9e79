import * as assert from "uvu/assert";
import { type Person, person, publish } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import type { TestServices } from "../support/services.ts";
import { useSharedServices } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";

const MissingActor = suite("an actor without a profile");
let services: TestServices;

useSharedServices(MissingActor, (shared) => (services = shared));

/** The error codes of all operations with an actor for this user. */
async function codesFor(userId: bigint, other: Person): Promise<(string | undefined)[]> {
  const { name: screenName } = other;
  const { id } = await publish(services, other);
  const { people } = services.clients;
  const calls = [
    people.publishStatus({ userId, text: "x" }),
    people.followUser({ userId, screenName }),
    people.blockUser({ userId, screenName }),
    people.updateProfile({ userId }),
    people.updateProfile({ userId, location: "x" }),
    people.followRequests({ userId }),
    people.markStatus({ userId, screenName, id, favorited: true }),
  ];
  return Promise.all(calls.map(async (call) => (await refusalOf(call)).code));
}

MissingActor("gets Unavailable, since the profile of a new user is created later", async () => {
  const ann = await person(services, "ann");
  assert.equal(await codesFor(9_999_999n, ann), Array(7).fill("Unavailable"));
});

MissingActor("gets Unauthenticated after its deletion, since the session has ended, too", async () => {
  const [ann, gone] = [await person(services, "ann"), await person(services, "gone")];
  await services.clients.profiles.deleteProfile({ userId: gone.id });
  assert.equal(await codesFor(gone.id, ann), Array(7).fill("Unauthenticated"));
});

MissingActor.run();
