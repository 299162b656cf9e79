import * as assert from "uvu/assert";
import { register } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Limits = suite("limits of passwords");
const right = "correct horse";
const wrong = "wrong horse";
let services: TestServices;

Limits.before(async () => {
  services = await startTestServices({ RATE_LIMITS: "on", SIGN_INS_PER_ADDRESS: "6", SIGN_INS_PER_NAME: "2" });
});
Limits.after(() => services.stop());

let addresses = 0;
/** An address that has made no attempt yet. */
const newAddress = () => `192.0.2.${++addresses}`;

const registerMailed = (userName: string) =>
  register(services, userName, { email: `${userName}@example.org`, password: right });

/** The outcome of a call that is made for a client at an address. */
async function outcome(address: string, call: (options: { headers: Record<string, string> }) => Promise<unknown>) {
  const made = call({ headers: { "roost-address": address } });
  return made.then(
    () => "let in",
    async () => (await refusalOf(made)).code,
  );
}

const signIn = (address: string, userName: string, password: string) =>
  outcome(address, (options) => services.clients.accountPeople.authenticate({ userName, password }, options));

const changePassword = (address: string, userId: bigint, oldPassword: string, newPassword = right) =>
  outcome(address, (options) =>
    services.clients.accountPeople.changePassword({ userId, oldPassword, newPassword }, options),
  );

async function times<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results = [];
  for (let index = 0; index < count; index++) results.push(await work(index));
  return results;
}

Limits("keep a client at one address from locking a user out at other addresses", async () => {
  await registerMailed("victim");
  const attacker = newAddress();
  const guesses = await times(10, () => signIn(attacker, "victim", wrong));
  assert.equal(guesses, ["Unauthenticated", "Unauthenticated", ...Array(8).fill("ResourceExhausted")]);
  assert.is(await signIn(attacker, "victim", right), "ResourceExhausted");
  assert.is(await signIn(newAddress(), "victim", right), "let in");
});

Limits("do not count attempts against the name that the limit per address refuses", async () => {
  await registerMailed("bystander");
  const attacker = newAddress();
  await times(6, (index) => signIn(attacker, `anybody${index}`, wrong));
  assert.equal([...new Set(await times(30, () => signIn(attacker, "bystander", wrong)))], ["ResourceExhausted"]);
  assert.equal(await times(2, () => signIn(newAddress(), "bystander", wrong)), ["Unauthenticated", "Unauthenticated"]);
  assert.is(await signIn(newAddress(), "bystander", right), "let in");
});

Limits("do not count attempts against the address that the limit per name refuses", async () => {
  await registerMailed("loud");
  const address = newAddress();
  await times(10, () => signIn(address, "loud", wrong));
  assert.equal(await times(5, (index) => signIn(address, `quiet${index}`, wrong)), [
    ...Array(4).fill("Unauthenticated"),
    "ResourceExhausted",
  ]);
});

Limits("bound guesses from many addresses, and still let the user sign in from a known address", async () => {
  await registerMailed("famous");
  const [home, abroad] = [newAddress(), newAddress()];
  assert.is(await signIn(home, "famous", right), "let in");
  const guesses = await times(25, () => signIn(newAddress(), "famous", wrong));
  assert.equal(guesses, [...Array(20).fill("Unauthenticated"), ...Array(5).fill("ResourceExhausted")]);
  assert.is(await signIn(abroad, "famous", right), "ResourceExhausted");
  assert.is(await signIn(home, "famous", right), "let in");
});

Limits("count right passwords against the address, since each costs a hash, and not against the name", async () => {
  await registerMailed("regular");
  const address = newAddress();
  const visits = await times(7, () => signIn(address, "regular", right));
  assert.equal(visits, [...Array(6).fill("let in"), "ResourceExhausted"]);
  assert.is(await signIn(newAddress(), "regular", right), "let in");
});

Limits("hold for concurrent attempts", async () => {
  await registerMailed("crowded");
  const address = newAddress();
  const guesses = await Promise.all(Array.from({ length: 40 }, () => signIn(address, "crowded", wrong)));
  assert.is(guesses.filter((code) => code === "Unauthenticated").length, 2);
  const visits = await Promise.all(Array.from({ length: 40 }, (_, index) => signIn(address, `crowd${index}`, wrong)));
  assert.is(visits.filter((code) => code === "Unauthenticated").length, 4);
});

Limits("hold for wrong current passwords, which do not count against sign-ins", async () => {
  const userId = await registerMailed("robbed");
  const [home, thief] = [newAddress(), newAddress()];
  assert.is(await signIn(home, "robbed@example.org", right), "let in");
  const guesses = await times(5, () => changePassword(thief, userId, wrong));
  assert.equal(guesses, ["Unauthenticated", "Unauthenticated", ...Array(3).fill("ResourceExhausted")]);
  assert.is(await changePassword(thief, userId, right), "ResourceExhausted");
  assert.is(await signIn(thief, "robbed", right), "let in");
  await times(18, () => changePassword(newAddress(), userId, wrong));
  assert.is(await changePassword(newAddress(), userId, right), "ResourceExhausted");
  assert.is(await changePassword(home, userId, right, "battery staple"), "let in");
  assert.is(await signIn(home, "robbed", "battery staple"), "let in");
});

Limits("count both hashes of a change of password against the address", async () => {
  const address = newAddress();
  const userIds = await times(4, (index) => registerMailed(`changed${index}`));
  const changes = await times(4, (index) => changePassword(address, userIds[index] as bigint, right, right));
  assert.equal(changes, Array(4).fill("let in"));
  assert.equal(await times(3, (index) => signIn(address, `none${index}`, wrong)), [
    "Unauthenticated",
    "Unauthenticated",
    "ResourceExhausted",
  ]);
});

Limits("do not count an attempt against the name that failed because the database was unavailable", async () => {
  await registerMailed("unlucky");
  const address = newAddress();
  const failed = await services.database.whileUnavailable("account", () =>
    times(3, () => signIn(address, "unlucky", right)),
  );
  assert.not.ok(failed.includes("ResourceExhausted") || failed.includes("let in"), failed.join());
  assert.is(await signIn(address, "unlucky", right), "let in");
});

Limits.run();
