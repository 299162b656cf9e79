import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import * as assert from "uvu/assert";
import { ImportOutcome } from "../../proto/gen/social/v1/import_service_pb.ts";
import { enumName } from "../support/enum-name.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Renames = suite("import of renames");
let services: TestServices;

Renames.before(async () => {
  services = await startTestServices();
});
Renames.after(() => services.stop());

const createdAt = timestampFromDate(new Date("2008-01-01"));
const profile = {
  name: "N",
  lang: "en",
  createdAt: "Wed Aug 27 13:08:45 +0000 2008",
  profileBackgroundColor: "000000",
  profileSidebarBorderColor: "000000",
  profileSidebarFillColor: "000000",
  profileLinkColor: "000000",
  profileTextColor: "000000",
};

/** Imports users of these names in one batch, each under the id of its place. */
async function importUsers(names: readonly string[]): Promise<{ ids: bigint[]; outcomes: string[] }> {
  const { account, imports } = services.clients;
  const claims = names.map((name, id) => ({ originId: `${id}`, userName: name, displayName: name, createdAt }));
  const ids = (await account.claimAccounts({ origin: "twitter", claims })).results.map(({ userId }) => userId);
  const profiles = names.map((screenName, place) => ({
    userId: ids[place] ?? 0n,
    originId: `${place}`,
    profile: { ...profile, screenName },
  }));
  const { results } = await imports.importProfiles({ origin: "twitter", profiles });
  return { ids, outcomes: results.map(({ outcome, refusal }) => refusal || enumName(ImportOutcome, outcome)) };
}

Renames("gives users of one batch each other's former names, in any order", async () => {
  for (const names of [
    ["chain1", "chain2", "chain3"],
    ["chain2", "chain3", "chain4"],
    ["chain5", "chain2", "chain3"],
  ]) {
    const { ids, outcomes } = await importUsers(names);
    assert.is(new Set(outcomes).size, 1, outcomes.join());
    const { results } = await services.clients.social.socialUsers({ userIds: ids });
    assert.equal(
      results.map(({ screenName }) => screenName),
      names,
    );
  }
});

Renames.run();
