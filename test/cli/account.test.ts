import * as assert from "uvu/assert";
import { importedAccount, password, publish } from "../support/people.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { runHere, startCli } from "./run-cli.ts";

const Account = suite("cli: account");
const services = useServices(Account, { SIGN_UP: "invite" });
const time = /\d{4}-\d\d-\d\d \d\d:\d\d UTC/.source;
/** What names the system: the account service alone, or both services. */
let alone = "";
let both = "";

Account.before(async () => {
  alone = `Roost: account service ${services.accountUrl}\n`;
  both = alone.replace("\n", `, social service ${services.socialUrl}\n`);
  for (const userName of ["Ann", "Bob"]) await register(userName);
});

async function register(userName: string) {
  const { invitation } = await services.clients.operator.makeInvitation({ uses: 1, maxAge: 60 });
  const form = { userName, email: `${userName}@example.org`, password };
  return services.clients.account.registration(form, { headers: { "x-invitation": invitation } });
}

const environment = () => ({ ACCOUNT_URL: services.accountUrl, SOCIAL_URL: services.socialUrl });
const account = (words: string, input = "") => runHere(["account", ...words.split(" ")], environment(), input);
const signIn = async (given: string, userName = "ann") =>
  (await services.clients.accountPeople.authenticate({ userName, password: given })).sessionId;
const whose = (sessionId: string) => services.userOf(sessionId);
const idOf = async (userNameOrEmail: string) =>
  (await services.clients.operator.findAccount({ userNameOrEmail })).account?.userId ?? 0n;
const profilesOf = async (...screenNames: string[]) =>
  (await services.clients.social.socialUsers({ screenNames })).results;

Account("names the system first, and fails for an unknown user", async () => {
  for (const [named, calls] of [
    [alone, ["reset-password eve", "sessions eve", "sessions eve --end", "delete eve --yes", "claim eve"]],
    [both, ["suspend eve", "reinstate eve", "verify eve", "unverify eve"]],
  ] as const) {
    for (const words of calls) {
      const err = `${named}There is no user "${words.split(" ")[1]}" here.\n`;
      assert.equal(await account(words), { code: 1, out: "", err }, words);
    }
  }
});

Account("resets a password to a new one, which alone goes to standard output, and ends all sessions", async () => {
  const session = await signIn(password);
  const { code, out, err } = await account("reset-password ANN");
  assert.equal([code, err], [0, `${alone}Ann has another password, and all sessions are ended.\n`]);
  assert.match(out, /^[\w-]{20}\n$/);
  assert.is(await whose(session), undefined);
  assert.ok(await whose(await signIn(out.trim())));
});

Account("fails when a password or an invitation cannot be written, since it is lost", async () => {
  const outcomes = ["reset-password ann", "invite make"].map(async (words) => {
    const { child, ended } = startCli(["account", ...words.split(" ")], environment());
    child.stdout?.destroy();
    return ended;
  });
  for (const { code, err } of await Promise.all(outcomes)) {
    assert.match(err, /\nStandard output is closed: .* is lost\. Run the command again for another one\.\n$/);
    assert.is(code, 1);
  }
});

Account("resets a password to the first line of standard input, without printing it", async () => {
  const { code, out, err } = await account("reset-password ann@example.org --stdin", "battery staple\nmore\n");
  assert.equal([code, out], [0, ""]);
  assert.not.match(err, /battery/);
  const session = await signIn("battery staple");
  const none = await account("reset-password ann --stdin");
  assert.equal([none.code, none.err], [1, `${alone}Standard input holds no password. Nothing was changed.\n`]);
  const short = await account("reset-password ann --stdin", "sh0rt\n");
  assert.match(short.err, /\nResetPassword failed: .*'New Password' must be at least 8 characters\.\n$/);
  assert.not.match(short.err, /sh0rt|\n +at /);
  assert.ok(await whose(session));
});

Account("lists sessions without their ids, and ends them", async () => {
  await account("sessions bob --end");
  const ids = [await signIn(password, "bob"), await signIn(password, "bob")];
  const { code, out } = await account("sessions bob");
  assert.match(out, new RegExp(`^(?:since ${time}, until ${time}\n){2}2 sessions of Bob\n$`));
  assert.is(code, 0);
  for (const id of ids) assert.not.ok(out.includes(id));
  assert.equal(await account("sessions bob --end"), { code: 0, out: "2 sessions of Bob ended\n", err: alone });
  assert.is(await whose(ids[0] as string), undefined);
});

Account("verifies and unverifies a user", async () => {
  for (const [command, out, verified] of [
    ["verify", "Ann is verified\n", true],
    ["unverify", "Ann is not verified\n", false],
  ] as const) {
    assert.equal(await account(`${command} ann`), { code: 0, out, err: both });
    assert.is((await profilesOf("ann"))[0]?.verified, verified);
  }
});

Account("suspends a user, whose sessions end and whose profile is hidden, and reinstates them", async () => {
  await account("sessions bob --end");
  const session = await signIn(password, "bob");
  const suspended = { code: 0, out: "Bob is suspended, 1 session ended\n", err: both };
  assert.equal(await account("suspend BOB"), suspended);
  assert.equal(await profilesOf("bob"), []);
  assert.is(await whose(session), undefined);
  // A suspended user may sign in, to read and to delete the account; a second suspension ends that session as well.
  await signIn(password, "bob");
  assert.equal(await account("suspend bob"), suspended);
  assert.is((await account("reinstate bob")).out, "Bob is not suspended any more\n");
  assert.is((await profilesOf("bob")).length, 1);
  assert.is((await account("reinstate bob")).out, "Bob was not suspended: nothing has changed\n");
});

Account("lists the newest accounts, or those that a text finds, with their addresses", async () => {
  const line = (name: string) => `${name} \\(user \\d+\\), ${name}@example\\.org, since ${time}\n`;
  for (const [words, names, end] of [
    ["list", ["Bob", "Ann"], "2 accounts"],
    ["list --take 1", ["Bob"], "1 account, and there are more"],
    ["list --search an", ["Ann"], "1 account"],
    ["list --search BOB@example.ORG", ["Bob"], "1 account"],
    ["list --search nn", [], "0 accounts"],
  ] as const) {
    const { code, out, err } = await account(words);
    assert.equal([code, err], [0, alone], words);
    assert.match(out, new RegExp(`^${names.map(line).join("")}${end}\n$`));
  }
});

Account("lists reports, shows one in full, and closes it", async () => {
  const err = `Roost: social service ${services.socialUrl}\n`;
  assert.equal(await account("reports"), { code: 0, out: "0 reports\n", err });
  const [ann, bob] = [await idOf("ann"), await idOf("bob")];
  const { id: statusId } = await publish(services, bob, "rude\u001b[2J words");
  const { people } = services.clients;
  await people.reportUser({ userId: ann, screenName: "bob", statusId, reason: `x${"y".repeat(100)}\u0007` });
  await people.reportUser({ userId: bob, screenName: "ann", reason: "revenge" });
  const { out } = await account("reports list");
  const [, first, second] =
    /^report (\d+): Bob, status \d+, by Ann: xy{58}…\nreport (\d+): Ann, by Bob: revenge\n2 reports\n$/.exec(out) ?? [];
  assert.ok(first && second, out);
  const shown = await account(`reports show ${first}`);
  const pattern = `^report ${first}: Bob, status ${statusId}, by Ann, ${time}\nstatus ${statusId}: rude\ufffd\\[2J words\nreason: xy{100}\ufffd\n$`;
  assert.match(shown.out, new RegExp(pattern));
  assert.equal(await account(`reports close ${first}`), { code: 0, out: `report ${first} is closed\n`, err });
  const gone = await account(`reports show ${first}`);
  assert.equal([gone.code, gone.err], [1, `${err}There is no open report ${first}.\n`]);
  assert.equal(await account("reports close 999"), { code: 1, out: "", err: `${err}There is no report 999.\n` });
  assert.match((await account("reports")).out, new RegExp(`^report ${second}: .*\n1 report\n$`));
});

Account("shows what is known of one user: address, dates, sessions, suspension and open reports", async () => {
  await register("Zoe");
  await signIn(password, "zoe");
  const [ann, zoe] = [await idOf("ann"), await idOf("zoe")];
  const { people } = services.clients;
  const expected = (sessions: string, suspended: string, reports: string) =>
    new RegExp(
      `^Zoe \\(user ${zoe}\\)\ne-mail address: Zoe@example\\.org\nregistered: ${time}\nopen sessions: ${sessions}\n` +
        `suspended: ${suspended}\nopen reports: ${reports}\n$`,
    );
  assert.match((await account("show zoe@example.org")).out, expected(`1, the newest since ${time}`, "no", "0"));
  await people.reportUser({ userId: ann, screenName: "zoe", reason: "rude" });
  await people.reportUser({ userId: zoe, screenName: "ann", reason: "revenge" });
  await account("suspend zoe");
  const { code, out, err } = await account("show ZOE");
  assert.equal([code, err], [0, both]);
  assert.match(out, expected("0", "yes", "1\n  report \\d+: Zoe, by Ann"));
  assert.equal(await account("show zo"), { code: 1, out: "", err: `${both}There is no user "zo" here.\n` });
});

Account("gives an imported user an account once: a first password, and an e-mail address", async () => {
  for (const name of ["Ida", "Ike"]) await importedAccount(services.clients.account, name, name);
  const made = await account("claim IDA --email ida@example.org");
  assert.equal([made.code, made.err], [0, `${alone}Ida can sign in now.\n`]);
  assert.match(made.out, /^[\w-]{20}\n$/);
  assert.ok(await whose(await signIn(made.out.trim(), "ida@example.org")));
  for (const [words, err] of [
    ["claim ida", /\nIda has an owner already\. Nothing was changed\.\n$/],
    ["claim ike --stdin", /\nStandard input holds no password\. Nothing was changed\.\n$/],
    ["claim ike --email nonsense", /\nClaimAccount failed: /],
  ] as const) {
    const refused = await account(words);
    assert.equal([refused.code, refused.out], [1, ""], words);
    assert.match(refused.err, err);
  }
  const first = await account("claim ike --stdin", "first horse battery\nmore");
  assert.equal(first, { code: 0, out: "", err: `${alone}Ike can sign in now.\n` });
  assert.ok(await signIn("first horse battery", "ike"));
});

Account("makes invitations that are accepted, lists and revokes them", async () => {
  const made = await account("invite make --uses 2 --days 3");
  assert.match(made.out, /^[\w-]{43}\n$/);
  const [, id] = /invitation (\d+): 0 of 2 used, until .*in the header X-Invitation:\n$/.exec(made.err) ?? [];
  const headers = { "x-invitation": made.out.trim() };
  await services.clients.account.registration({ userName: "cid", password }, { headers });
  const listed = await account("invite list");
  assert.match(listed.out, new RegExp(`^invitation ${id}: 1 of 2 used, until `));
  assert.match(listed.out, /\n\d+ invitations?\n$/);
  assert.not.ok(listed.out.includes(made.out.trim()));
  const revoke = () => account(`invite revoke ${id}`);
  assert.equal(await revoke(), { code: 0, out: `invitation ${id} is revoked\n`, err: alone });
  const again = await revoke();
  assert.is(again.code, 1);
  assert.match(again.err, /There is no such invitation, or none any more\.\n$/);
});

Account("deletes an account only after its name was typed", async () => {
  await register("Dan");
  for (const input of ["", "\n", "dan\n", "yes\n"]) {
    const { code, err } = await account("delete dan", input);
    assert.is(code, 1);
    assert.match(err, /Type the name: That is not the name\. Nothing was deleted\.\n$/);
  }
  const { code, out } = await account("delete dan", "Dan\n");
  assert.equal([code, out], [0, "Dan is deleted\n"]);
  assert.match((await account("delete dan --yes")).err, /There is no user "dan" here/);
  await register("Eli");
  assert.is((await account("delete eli --yes")).out, "Eli is deleted\n");
});

Account("lists and shows an account whose deletion has begun, and does nothing else with it", async () => {
  await register("Uwe");
  await services.database.query(
    `update account.account set deleted_at = now(), password_hash = null, claimed = false, email = null, email_key = null
     where name_key = 'uwe'`,
  );
  assert.match(
    (await account("list --search uwe")).out,
    /^Uwe \(user \d+\), no e-mail address, since .*, deletion begun \d.* UTC\n1 account\n$/,
  );
  assert.match((await account("sessions uwe")).err, /There is no user "uwe" here/);
  const { code, out } = await account("show UWE");
  assert.is(code, 0);
  assert.match(out, /^Uwe \(user \d+\)\ne-mail address: –\n.*\ndeletion begun: \d.* UTC\nopen sessions: 0\n/);
});

Account.run();
