import * as assert from "uvu/assert";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { runHere } from "./run-cli.ts";

const Verify = suite("cli: verify");
let services: TestServices;

Verify.before(async () => {
  services = await startTestServices();
  const profile = { userId: 9n, screenName: "ann", name: "Ann", createdAt: { seconds: 1_500_000_000n } };
  await services.clients.profiles.createProfile(profile);
  await services.clients.statuses.publishStatus({ authorId: 9n, text: "hello" });
});
Verify.after(() => services.stop());

const verify = () => runHere(["verify"], { SOCIAL_URL: services.socialUrl });

Verify("prints that no counter is wrong, with exit code 0", async () => {
  const err = `Roost: social service ${services.socialUrl}\n`;
  assert.equal(await verify(), { code: 0, out: "1 profiles and 1 statuses recounted, 0 wrong counters\n", err });
});

Verify("prints each counter that is wrong, with exit code 1", async () => {
  await services.database.query("update social.profile set followers_count = 7");
  await services.database.query("update social.status set retweet_count = 3, id = 5");
  const { code, out } = await verify();
  assert.is(code, 1);
  assert.match(
    out,
    /^user 9: followers_count is 7, counted 0\nuser 9: last_status_id is \d+, counted 5\nuser 9: last_unrestricted_id is \d+, counted 5\n/,
  );
  assert.match(
    out,
    /\nstatus 5 of user 9: retweet_count is 3, counted 0\n1 profiles and 1 statuses recounted, 4 wrong counters\n$/,
  );
});

Verify.run();
