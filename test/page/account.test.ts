import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { cheapHashes, launch } from "../support/launch.ts";
import { inTab } from "../support/tab.ts";
import {
  choose,
  composer,
  follow,
  hasFocus,
  holds,
  open,
  publish,
  sendRegistration,
  sendSignIn,
  settled,
} from "./acts.ts";
import { pageSuite } from "./page-suite.ts";

const Account = await pageSuite("account");
const { system } = Account;

Account.asPerson("changes the password, which ends the sessions of other devices only", async ({ page }, name) => {
  const otherTab = await page.context().newPage();
  await open(otherTab, "/");
  await inTab(Account.browser, system.url, {}, async ({ page: elsewhere }) => {
    await open(elsewhere, "/");
    await signIn(elsewhere, name, "correct horse");
    await composer(elsewhere).fill("from another device");
    await open(page, "/settings/account");
    await page.locator(".sessions li").nth(1).waitFor();
    await changePassword(page, "wrong horse");
    await page.getByText("That is not your password.").waitFor();
    await hasFocus(page, "#password-oldPassword");
    await changePassword(page, "correct horse");
    await page.getByText("The password is changed.").waitFor();
    await page.locator(".sessions li:only-child").waitFor();
    await holds(page.getByLabel("New password"), "");
    await publish(otherTab, "still here");
    await elsewhere.getByRole("button", { name: "Publish" }).click();
    await elsewhere.getByText("your session has ended").waitFor();
    await elsewhere.getByRole("link", { name: "Sign in again" }).click();
    await sendSignIn(elsewhere, name, "correct horse");
    await elsewhere.getByText("Invalid UserName or Password").waitFor();
    await signIn(elsewhere, name, "another horse");
    await publish(elsewhere);
  });
  assert.equal(await Account.textsOf(name), ["from another device", "still here"]);
});

Account.asPerson("deletes the account only with its password, and signs the other tab out", async ({ page }, name) => {
  const otherTab = await page.context().newPage();
  await open(otherTab, "/");
  await composer(otherTab).fill("last words");
  await open(page, "/settings/account");
  const opener = page.getByRole("button", { name: "Delete the account…" });
  await opener.click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await hasFocus(page, "button:text('Delete the account…')");
  await opener.click();
  for (const password of ["wrong horse", "correct horse"]) {
    if (password === "correct horse") await page.getByText("That is not your password.").waitFor();
    await page.getByLabel("Your password").fill(password);
    await page.getByRole("button", { name: "Delete it for good" }).click();
  }
  await page.getByText("Your account is deleted.").waitFor();
  await page.getByRole("heading", { name: "People, and what they say" }).waitFor();
  await hasFocus(page, "h1");
  await otherTab.getByText("You are signed out").waitFor();
  await follow(page, `/@${name}`);
  await page.locator("h1", { hasText: `There is no user called ${name}` }).waitFor();
});

Account.asPerson("keeps the draft of this tab when another one signs out", async ({ page }, name) => {
  await open(page, "/");
  await composer(page).fill("a whole one");
  const otherTab = await page.context().newPage();
  await open(otherTab, "/");
  await publish(otherTab);
  await page.getByRole("link", { name: "Everyone" }).click();
  await page.getByText("a whole one").waitFor();
  await holds(composer(page), "");
  await composer(page).fill("half a thought");
  // A delayed deletion is sent before the session ends.
  await choose(otherTab, "Delete", otherTab.getByRole("article").first());
  await otherTab.getByRole("button", { name: "Undo" }).first().waitFor();
  await choose(otherTab, "Sign out");
  await otherTab.getByText("You are signed out.").waitFor();
  await otherTab.getByRole("heading", { name: "People, and what they say" }).waitFor();
  await hasFocus(otherTab, "h1");
  assert.is(await otherTab.evaluate("Object.keys(localStorage).filter((key) => key.includes('draft')).length"), 0);

  await page.getByText("You are signed out: your session has ended.").waitFor();
  await page.getByRole("link", { name: "Sign in again" }).click();
  await signIn(page, name, "correct horse");
  await composer(page).waitFor();
  await holds(composer(page), "half a thought");
  await publish(page);
  assert.equal(await Account.textsOf(name), ["half a thought"]);
});

Account.asPerson("keeps a form when the profile is changed or the session ended elsewhere", async ({ page }, name) => {
  await open(page, "/settings");
  await page.getByLabel("About you").fill("Bakes at six");
  // From another device of the same user.
  const data = { location: "Kittiwick", description: "Sleeps at six" };
  assert.is((await page.request.post("/profile", { data })).status(), 200);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("changed elsewhere").waitFor();
  await page.locator(".profile").getByText("Kittiwick").waitFor();
  await holds(page.getByLabel("Where you are"), "Kittiwick");
  await holds(page.getByLabel("About you"), "Bakes at six");
  await page.locator(".profile").getByText("Bakes at six").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Your profile is saved.").waitFor();
  const [user] = await Account.resultsOf(`/social/${name}`);
  assert.equal([user?.description, user?.location], ["Bakes at six", "Kittiwick"]);

  await page.getByLabel("About you").fill("Bakes at seven");
  await page.getByLabel("Protect my statuses").check();
  await page.request.post("/auth/logout", { data: {} });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("your session has ended").waitFor();
  await signIn(page, name, "correct horse");
  await holds(page.getByLabel("About you"), "Bakes at seven");
  assert.ok(await page.getByLabel("Protect my statuses").isChecked());
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Your profile is saved.").waitFor();
  assert.is((await Account.resultsOf(`/social/${name}`))[0]?.description, "Bakes at seven");
});

Account.inTab("names the cause when a registration or a sign-in brings no cookie", async ({ page }) => {
  // What the gateway does where a proxy in front of it loses the port.
  const foreign = { "sec-fetch-site": "cross-site", origin: "http://elsewhere.example" };
  await page.route(/\/(?:Registration|Authenticate)$/, async (route) => {
    const headers = { ...route.request().headers(), ...foreign };
    await route.fulfill({ response: await route.fetch({ headers }) });
  });
  const cause = page.getByRole("alert").getByText("no cookie came back");
  for (const [path, send] of [
    ["/join", sendRegistration],
    ["/sign-in", sendSignIn],
  ] as const) {
    await open(page, path);
    await send(page, "cookieless");
    assert.match((await cause.textContent()) ?? "", "proxy_set_header Host $http_host");
  }
  assert.is(new URL(page.url()).pathname, "/sign-in");
  await holds(page.getByLabel("User name or e-mail"), "cookieless");
});

Account.inTab("says that the account may be made when no answer to a registration comes", async ({ page }) => {
  await open(page, "/join");
  await page.route("**/Registration", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await sendRegistration(page, "unanswered");
  const text = /^The server cannot be reached\. .* It is not certain whether the account was made:/;
  await page.getByRole("alert").getByText(text).waitFor();
});

Account.test("registers by the link of an invitation, and shows an error without one", async () => {
  const { account, social } = system.database;
  const env = { ACCOUNT_DATABASE_URL: account, SOCIAL_DATABASE_URL: social, SOCIAL_URL: system.socialUrl };
  const inviting = await launch("account", { ...env, ...cheapHashes, RATE_LIMITS: "off", SIGN_UP: "invite" });
  const gateway = await launch("gateway", { ACCOUNT_URL: inviting.url, SOCIAL_URL: system.socialUrl });
  const { invitation } = await system.clients.operator.makeInvitation({ uses: 1, maxAge: 60 });
  await inTab(Account.browser, gateway.url, {}, async ({ page }) => {
    await open(page, "/join");
    await sendRegistration(page, "invited");
    await page.getByRole("alert").getByText("invitation").waitFor();
    await holds(page.getByLabel("User name", { exact: true }), "invited");
    await page.goto("about:blank");
    await open(page, `/join#invitation=${invitation}`);
    await sendRegistration(page, "invited");
    await page.getByText("Welcome, invited.").waitFor();
  });
  await gateway.close();
  await inviting.close();
});

Account.run();

async function signIn(page: Page, name: string, password: string): Promise<void> {
  if (!page.url().includes("/sign-in")) await page.getByRole("link", { name: "Sign in" }).first().click();
  await sendSignIn(page, name, password);
  await page.getByRole("button", { name: "Your menu" }).waitFor();
  await settled(page);
}

async function changePassword(page: Page, oldPassword: string): Promise<void> {
  await page.getByLabel("Present password").fill(oldPassword);
  await page.getByLabel("New password").fill("another horse");
  await page.getByRole("button", { name: "Change the password" }).click();
}
