import { hash, type Options } from "@node-rs/argon2";
import * as assert from "uvu/assert";
import { startCallCounter } from "../support/call-counter.ts";
import { strongHashes } from "../support/launch.ts";
import { importedAccount, password, register } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const SignIn = suite("sign in");
const services = useServices(SignIn, strongHashes);

SignIn.before(async () => {
  await register(services, "Ann", { email: "Ann@Example.org" });
});

const signIn = (userName: string, given = password) =>
  services.clients.accountPeople.authenticate({ userName, password: given });

/** The settings of `strongHashes`. */
const strong = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Gives a user a hash of a password with these settings, and returns it. */
async function storeHash(userName: string, settings: Options, of = password): Promise<string> {
  const made = await hash(of, settings);
  const store = "update account.account set password_hash = $1 where user_name = $2";
  await services.database.query(store, [made, userName]);
  return made;
}

SignIn("answers alike for a wrong password, an unknown user, an unclaimed account and an invalid name", async () => {
  await importedAccount(services.clients.account, "1", "unclaimed");
  const expected = await refusalOf(signIn("Ann", "wrong horse"));
  assert.is(expected.message, "Invalid UserName or Password");
  for (const login of ["nobody", "unclaimed", "a\u0000b", "x".repeat(300), "@", "@@Ann", "\u200b"])
    assert.equal(await refusalOf(signIn(login)), expected, login);
});

SignIn("does the same work for an unknown user as for a wrong password", async () => {
  // Work is measured as processor time, which other processes do not affect; in turns, so that other work of this one affects
  // both.
  const costOf = async (login: string) => {
    const before = process.cpuUsage();
    await refusalOf(signIn(login, "wrong horse"));
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  let [known, unknown] = [0, 0];
  for (let turn = 0; turn < 30; turn++) {
    const costs = [await costOf("Ann"), await costOf("nobody")] as const;
    // The first turns also load code that both need.
    if (turn >= 5) [known, unknown] = [known + costs[0], unknown + costs[1]];
  }
  assert.ok(unknown > known / 2 && unknown < known * 2, `${known} µs against ${unknown} µs`);
});

SignIn("replaces a hash that is weaker than the settings ask for, with the same password", async () => {
  await register(services, "old_hash");
  const weak = await storeHash("old_hash", { memoryCost: 64, timeCost: 1 });
  const select = "select password_hash from account.account where user_name = 'old_hash'";
  const stored = async () => (await services.database.query(select))[0]?.password_hash as string;
  await refusalOf(signIn("old_hash", "wrong horse"));
  assert.is(await stored(), weak);
  // Several at once: the second one finds another hash of the same password, and succeeds as well.
  await Promise.all(Array.from({ length: 5 }, () => signIn("old_hash")));
  const replaced = await stored();
  assert.match(replaced, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  await signIn("old_hash");
  assert.is(await stored(), replaced);
});

SignIn("replaces a hash of a password as it was typed by one that its other spellings match", async () => {
  await register(services, "zoe");
  const typed = "Zoe\u0308 at sea";
  await storeHash("zoe", strong, typed);
  assert.is((await refusalOf(signIn("zoe", typed.normalize("NFC")))).code, "Unauthenticated");
  await signIn("zoe", typed);
  for (const spelling of ["NFC", "NFD"]) await signIn("zoe", typed.normalize(spelling));
});

SignIn("lets a user in whose password is common by now", async () => {
  await register(services, "early");
  await storeHash("early", strong, "password");
  await signIn("early", "password");
});

SignIn("computes as many hashes for each refused user while stored ones have several costs", async () => {
  const hashes = await startCallCounter("hashAt");
  /** How many hashes a refusal computes besides a check of the user's own. */
  const others = async (login: string) => {
    await hashes.calls();
    await refusalOf(signIn(login, "wrong horse"));
    return hashes.calls();
  };
  try {
    assert.equal([await others("Ann"), await others("nobody")], [0, 1]);
    await register(services, "cheap");
    await storeHash("cheap", { memoryCost: 64, timeCost: 1 });
    await register(services, "dear");
    await storeHash("dear", { memoryCost: 128, timeCost: 3 });
    assert.equal([await others("Ann"), await others("cheap"), await others("dear")], [2, 2, 2]);
    assert.equal([await others("nobody"), await others("a\u0000b")], [3, 3]);
    // Replaces the only hash of its cost.
    await signIn("cheap");
    assert.equal([await others("cheap"), await others("nobody")], [1, 2]);
  } finally {
    await hashes.stop();
  }
});

SignIn.run();
