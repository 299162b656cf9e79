import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import * as assert from "uvu/assert";
import { whileUncommitted } from "../support/open-transaction.ts";
import { person, profileOf } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Create = suite("create profiles");
let services: TestServices;

Create.before(async () => {
  services = await startTestServices();
});
Create.after(() => services.stop());

const createdAt = timestampFromDate(new Date("2020-01-01"));
const profile = (userId: bigint, screenName: string) => ({ userId, screenName, name: "N", createdAt });
const create = (...profiles: ReturnType<typeof profile>[]) => services.clients.profiles.createProfiles({ profiles });

async function holdersOf(...screenNames: string[]): Promise<bigint[]> {
  return (await services.clients.social.socialUsers({ screenNames })).results.map(({ id }) => id);
}

Create(
  "changes nothing for a user who has a profile: the user gets no second name, and no name of another user",
  async () => {
    const [ann, bea] = [await person(services, "ann"), await person(services, "bea")];
    await create(profile(ann.id, "another"));
    await create(profile(ann.id, bea.name));
    await services.clients.profiles.createProfile(profile(ann.id, bea.name));
    assert.equal(await holdersOf("another"), []);
    assert.equal(await holdersOf(ann.name, bea.name), [ann.id, bea.id]);
    assert.is((await profileOf(services, ann))?.screenName, ann.name);
  },
);

Create("adds the others of a batch, and gives a user a name that another one has here", async () => {
  const [cat, dan] = [await person(services, "cat"), await person(services, "dan")];
  await create(profile(cat.id, "other"), profile(901n, "fresh"), profile(902n, dan.name));
  assert.equal(await holdersOf("fresh", dan.name, "other"), [901n, 902n]);
});

Create("gives a user a name that an import takes from another user at that moment", async () => {
  const eve = await person(services, "eve");
  const lock = "select from social.screen_name where name_key = $1 for update";
  await whileUncommitted(services.database.social, [[lock, [eve.name]]], async ({ waiting, run, commit }) => {
    const created = create(profile(903n, eve.name));
    await waiting(1);
    await run("delete from social.screen_name where name_key = $1", [eve.name]);
    await commit();
    await created;
  });
  assert.equal(await holdersOf(eve.name), [903n]);
});

Create("refuses two users of one name, a user twice, too many, and dates that no account has", async () => {
  const fieldsOf = async (...profiles: ReturnType<typeof profile>[]) => (await refusalOf(create(...profiles))).fields;
  assert.equal(await fieldsOf(profile(910n, "same"), profile(911n, "SAME")), ["profiles Equal"]);
  assert.equal(await fieldsOf(profile(910n, "one"), profile(910n, "two")), ["profiles Equal"]);
  const many = Array.from({ length: 101 }, (_, index) => profile(BigInt(2_000 + index), `many${index}`));
  assert.equal(await fieldsOf(...many), ["profiles InclusiveBetween"]);
  for (const seconds of [
    -210_866_803_201n,
    -62_135_596_801n,
    0n,
    1_136_073_599n,
    99_999_999_999n,
    -8_640_000_000_001n,
  ]) {
    const dated = { ...profile(912n, "dated"), createdAt: { ...createdAt, seconds } };
    assert.equal(await fieldsOf(dated), ["createdAt InclusiveBetween"], `${seconds}`);
  }
  assert.equal(await holdersOf("same", "one", "two", "many0", "dated"), []);
});

Create.run();
