import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { joinBrowser, leaveBrowser } from "../support/browser.ts";
import { person, publish } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";
import { openTab, type Tab } from "../support/tab.ts";
import { composer, newName, open, publish as publishHere, register, sendSignIn, settled } from "./acts.ts";

// On a system of their own, which begins without a status.
const Newcomers = suite("page: newcomers");
const browser = await joinBrowser();
const system = useSystem(Newcomers);
let tab: Tab;
let page: Page;
let name: string;

Newcomers.before.each(async () => {
  tab = await openTab(browser as Browser, system.url, { viewport: { width: 360, height: 740 } });
  page = tab.page;
  name = newName("newcomer");
});
Newcomers.after.each(() => page.context().close());
Newcomers.after(leaveBrowser);

Newcomers("see on an empty system what they can do, and nobody's place", async () => {
  await open(page, "/");
  const section = page.getByRole("region", { name: "The newest" });
  await section.getByText("Nobody has said anything here yet.").waitFor();
  assert.is(await section.getByRole("link", { name: "Make an account" }).getAttribute("href"), "/join");
  await person(system, "TownClock");
  await register(tab, name);
  await open(page, "/everyone");
  await section.getByText("Write the first status above").waitFor();
  await publishHere(page, "first words");
  await section.getByText("first words").waitFor();
});

Newcomers("see the newest statuses of everybody, and more of them in place", async () => {
  const authors = await Promise.all(Array.from({ length: 9 }, () => person(system, "many")));
  for (const round of [1, 2, 3, 4, 5]) for (const author of authors) await publish(system, author, `round ${round}`);
  await open(page, "/");
  const texts = () => page.locator(".statuses .words").allInnerTexts();
  const first = await texts();
  assert.equal(first, [...Array(9).fill("round 5"), ...Array(9).fill("round 4"), ...Array(2).fill("round 3")]);
  const more = page.getByRole("button", { name: "Show more" });
  await more.click();
  await page.locator(".statuses > li:nth-child(40)").waitFor();
  assert.equal((await texts()).slice(0, 20), first);
  // The first of those that were added.
  await page.locator(".statuses > li:nth-child(21) article:focus").waitFor();
  await more.click();
  await page.locator(".statuses > li:nth-child(45)").waitFor();
  await more.waitFor({ state: "detached" });
  await page.reload();
  await settled(page);
  assert.ok((await texts()).length >= 45);
});

Newcomers("cause no error in the console without a session", async () => {
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  const { name: author } = await person(system, "quiet");
  for (const path of ["/", `/@${author}`, "/join", "/sign-in", "/settings", "/"]) await open(page, path);
  assert.equal(errors, []);
});

Newcomers("keep a picture that is there before the browser draws", async () => {
  const picture = `${system.url}/pictures/red-welly.svg`;
  const people = [await person(system, "face"), await person(system, "face")];
  for (const { id: userId } of people) {
    const updateMask = { paths: ["profile_image_url"] };
    await system.clients.profiles.updateProfile({ userId, profile: { profileImageUrl: picture }, updateMask });
  }
  // As in a tab that is not shown: what waits for the next frame comes late.
  await page.addInitScript("window.requestAnimationFrame = () => 0");
  for (const { name } of people) {
    await open(page, `/@${name}`);
    await page.waitForTimeout(500);
    assert.is(await page.locator(".profile .avatar img").getAttribute("data-state"), "shown");
  }
});

Newcomers("read beside the control what came of it", async () => {
  await register(tab, name);
  await open(page, "/settings");
  await page.getByRole("button", { name: "Save" }).click();
  const said = page.locator("form .row:has(button:text('Save')) [role=status]");
  await said.getByText("Your profile is saved.").waitFor();
  // In the window as a whole.
  const { x, y, width, height } = (await said.boundingBox()) ?? { x: -1, y: 0, width: 0, height: 0 };
  assert.ok(x >= 0 && y >= 0 && x + width <= 360 && y + height <= 740);
  const author = await person(system, "asked");
  const { id } = await publish(system, author, "a question");
  await open(page, `/@${author.name}/status/${id}`);
  await composer(page).fill(`@${author.name} an answer`);
  await page.locator(".composer").getByRole("button", { name: "Reply" }).click();
  await page.locator(".composer .row [role=status]").getByText("Your reply is published.").waitFor();
  assert.is(await page.locator(".notice").count(), 0);
});

Newcomers("follow whom they read as strangers, once they have signed in", async () => {
  const author = await person(system, "found");
  await publish(system, author, "worth following");
  await register(tab, name);
  await page.context().clearCookies();
  await open(page, "/");
  await page.locator(`main a[href="/@${author.name}"]`).first().click();
  await page.locator(".relation").getByRole("link", { name: "Sign in to follow" }).click();
  await sendSignIn(page, name);
  await page.waitForURL(`**/@${author.name}`);
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await page.getByRole("button", { name: "Following" }).waitFor();
});

if (browser !== undefined) Newcomers.run();
