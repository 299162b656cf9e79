import * as assert from "uvu/assert";
import { launch } from "../support/launch.ts";
import { inTab } from "../support/tab.ts";
import { choose, hasFocus, open, register } from "./acts.ts";
import { hostileStatus, hostileUser } from "./hostile.ts";
import { pageSuite } from "./page-suite.ts";

const Forms = await pageSuite("keyboard and forms");
const { system } = Forms;

Forms.inTab("registers with the keyboard only, with a visible focus, and shows the user", async ({ page }) => {
  await page.goto("/join");
  await page.waitForSelector("#register");
  await tabTo("register-userName");
  await page.keyboard.type("ann");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Ann of the Hill");
  await tabTo("register-password");
  await page.keyboard.type("correct horse");
  await tabTo("register-autoLogin");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/@ann");
  await page.waitForSelector("text=Welcome, ann");
  const cookie = (await page.context().cookies()).find(({ name }) => name === "ss-id");
  assert.is(cookie?.httpOnly, true);
  await page.waitForSelector(".profile h1");
  await hasFocus(page, "h1");
  assert.is(await page.locator("h1").innerText(), "Ann of the Hill");
  assert.match(await page.locator(".note").innerText(), "Nothing here yet");

  async function tabTo(id: string): Promise<void> {
    for (let steps = 0; steps < 20; steps += 1) {
      if ((await page.evaluate("document.activeElement.id")) === id) return;
      await page.keyboard.press("Tab");
      assert.is.not(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "none");
    }
    throw new Error(`the Tab key does not lead to ${id}`);
  }
});

Forms.inTab("shows every error next to its field, and moves the focus to the first", async ({ page }) => {
  await page.goto("/join");
  await page.getByLabel("Password").fill("short");
  await page.getByLabel("E-mail").fill("nonsense");
  await page.getByRole("button", { name: "Register" }).click();
  await page.waitForSelector("[aria-invalid]");
  assert.match(await page.locator("#register-email-error").innerText(), "is not a valid email address");
  assert.is.not(await page.locator("#register-password-error").innerText(), "");
  assert.is(await page.locator("#register-userName-error").innerText(), "");
  await hasFocus(page, "#register-email");
  const described = (await page.locator("#register-email").getAttribute("aria-describedby")) ?? "";
  assert.ok(described.split(" ").includes("register-email-error"));
});

Forms.asPerson("goes through a menu with the keyboard, and gives the focus back", async ({ page }) => {
  await open(page, "/@lighthouse");
  const button = page.getByRole("article").first().getByRole("button", { name: "More" });
  await button.focus();
  await page.keyboard.press("Enter");
  await hasFocus(page, "[role=menuitem]:has-text('Copy link')");
  for (const [key, item] of [
    ["ArrowDown", "Mute"],
    ["ArrowUp", "Copy link"],
    ["ArrowUp", "Report…"],
    ["ArrowDown", "Copy link"],
    ["End", "Report…"],
    ["Home", "Copy link"],
    ["b", "Block"],
  ] as const) {
    await page.keyboard.press(key);
    await hasFocus(page, `[role=menuitem]:has-text('${item}')`);
  }
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  await hasFocus(page, "article [aria-label=More][aria-expanded=false]");
  await page.keyboard.press("ArrowUp");
  await hasFocus(page, "[role=menuitem]:has-text('Report…')");
  await page.keyboard.press("Tab");
  await page.getByRole("menu").waitFor({ state: "detached" });
  // On to the next control after the button.
  await hasFocus(page, "article :not([aria-label=More])");
  await page.getByRole("button", { name: "Your menu" }).click();
  await hasFocus(page, "[role=menuitem]:has-text('Profile')");
  await page.keyboard.press("f");
  await page.keyboard.press("Space");
  await page.getByRole("heading", { name: "Favourites" }).waitFor();
  await hasFocus(page, "h1");
  await page.getByRole("button", { name: "Your menu" }).click();
  await page.locator("h1").click();
  await page.getByRole("menu").waitFor({ state: "detached" });
});

Forms.asPerson("copies the link of a status, and says so beside it", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "/@lighthouse");
  const article = page.getByRole("article").first();
  await choose(page, "Copy link", article);
  await article.getByText("The link is copied.").waitFor();
  const href = await article.locator(".age").getAttribute("href");
  assert.is(await page.evaluate("navigator.clipboard.readText()"), `${system.url}${href}`);
});

Forms.test("shows the limits of the settings for passwords and statuses", async () => {
  const settings = { STATUS_LENGTH: "100", PASSWORD_MIN_LENGTH: "12" };
  const urls = { ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl };
  const gateway = await launch("gateway", { ...urls, ...settings });
  await inTab(Forms.browser, gateway.url, {}, async (tab) => {
    await open(tab.page, "/join");
    await tab.page.getByText("At least 12 characters.").waitFor();
    await register(tab, "limited");
    await open(tab.page, "/");
    await tab.page.getByText("100 left", { exact: true }).waitFor();
  });
  await gateway.close();
});

Forms.inTab("shows a hostile user and status as text, and runs nothing", async ({ page }) => {
  const reply = (results: unknown[]) => ({ contentType: "application/json", body: JSON.stringify({ results }) });
  await page.route("**/SocialUsers?screenNames=evil", (route) => route.fulfill(reply([hostileUser])));
  await page.route("**/SocialTimelines?screenName=evil*", (route) => route.fulfill(reply([hostileStatus])));
  await page.goto("/@evil");
  await page.waitForSelector(".status");
  assert.is(await page.locator("h1").innerText(), hostileUser.name);
  assert.is(await page.locator(".words").innerText(), hostileStatus.text);
  assert.is(await page.evaluate("globalThis.pwned"), undefined);
  const active = "main script, main iframe, main svg:not(.icon), main [onerror], main [onclick]";
  assert.is(await page.locator(active).count(), 0);
  const links: string[] = await page.evaluate("[...document.querySelectorAll('main a')].map((each) => each.protocol)");
  assert.ok(links.length > 0);
  const wrong = links.filter((protocol) => !/^https?:$/.test(protocol));
  assert.equal(wrong, []);
  assert.is(await page.evaluate("document.querySelector('.cover').getAttribute('style')"), null);
});

Forms.inTab("is kept from using text as HTML by its content security policy", async ({ page, complaints }) => {
  await page.goto("/");
  const refused = await page.evaluate(
    "(() => { try { document.body.innerHTML = '<b>x</b>'; return false } catch { return true } })()",
  );
  assert.is(refused, true);
  // The browser reports the refusal, which is expected here.
  complaints.length = 0;
});

Forms.run();
