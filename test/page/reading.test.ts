import type { Page, Request } from "playwright-core";
import * as assert from "uvu/assert";
import { launch } from "../support/launch.ts";
import { register as registerUser } from "../support/people.ts";
import { expectQuiet, inTab, openTab, type Tab } from "../support/tab.ts";
import { follow, hasFocus, hold, keepScreenshot, open, settled } from "./acts.ts";
import { pageSuite } from "./page-suite.ts";

const Reading = await pageSuite("reading");
const { system } = Reading;
let tab: Tab;

Reading.test.before(async () => {
  tab = await openTab(Reading.browser, system.url);
});
Reading.test.after.each(async () => {
  await tab.page.unrouteAll();
  expectQuiet(tab);
});
Reading.test.after(() => tab.page.context().close());

Reading.test("pages to the oldest status and back, with each status exactly once", async () => {
  const all = await idsOf("lighthouse");
  assert.ok(all.length > 60, "several pages");
  await open(tab.page, "/@lighthouse");
  const down = [await shown()];
  while (await isThere("a.older")) {
    await turn("a.older");
    down.push(await shown());
  }
  assert.equal(down.flat(), all);
  const up = [await shown()];
  while (await isThere("a.newer")) {
    await turn("a.newer");
    up.push(await shown());
  }
  assert.equal(up.reverse().flat(), all);
});

Reading.test("shows the page just after an old status, which takes several calls", async () => {
  const all = await idsOf("lighthouse");
  const from = all.at(-3) as number;
  const calls: string[] = [];
  const note = (request: Request) => calls.push(request.url());
  tab.page.on("request", note);
  await follow(tab.page, `/@lighthouse?sinceId=${from}`);
  assert.equal(await shown(), all.slice(-23, -3));
  tab.page.off("request", note);
  assert.ok(calls.some((url) => url.includes("take=200")));
  await turn("a.older");
  assert.equal(await shown(), all.slice(-3));
});

Reading.test("shows a text as it was typed, and links no namesake of an unknown user", async () => {
  const { clients } = system;
  const authorId = await registerUser(system, "typist");
  await clients.statuses.publishStatus({ authorId, text: "&lt;3 &amp; @lighthouse" });
  const mention = { idStr: "404", name: "Another", screenName: "lighthouse", indices: [7, 18] };
  const status = {
    text: "Thanks @lighthouse",
    createdAt: "Wed Aug 27 13:08:45 +0000 2008",
    entities: { userMentions: [mention] },
    inReplyToScreenName: "lighthouse",
  };
  const statuses = [{ authorId, originId: "1", inReplyToUserOriginId: "404", status }];
  await clients.imports.importStatuses({ origin: "twitter", statuses } as never);
  await open(tab.page, "/@typist");
  const [typed, imported] = await tab.page.locator("article.status").all();
  assert.is(await typed?.locator(".words").innerText(), "&lt;3 &amp; @lighthouse");
  assert.is(await typed?.locator(".words a").count(), 1);
  assert.is(await imported?.locator(".words").innerText(), "Thanks @lighthouse");
  assert.match((await imported?.locator(".reply").innerText()) ?? "", /^In reply to @lighthouse$/);
  assert.is(await imported?.locator("a[href*=lighthouse]").count(), 0);
});

Reading.test("opens the address of a page, and goes through pages with the back and forward buttons", async () => {
  const all = await idsOf("lighthouse");
  const second = `/@lighthouse?maxId=${all[20]}`;
  await open(tab.page, second);
  assert.equal(await shown(), all.slice(20, 40));
  await turn("a.older");
  assert.equal(await shown(), all.slice(40, 60));
  await tab.page.goBack();
  await waitForFirst(all[20] as number);
  assert.ok(tab.page.url().endsWith(second));
  await tab.page.goForward();
  await waitForFirst(all[40] as number);
  await turn("a.newest");
  assert.equal(await shown(), all.slice(0, 20));
});

Reading.test("links mentions to the user, and hashtags to the search for them", async () => {
  await follow(tab.page, "/@MissQuill");
  const mention = tab.page.locator('.words a[href^="/@"]').first();
  const name = (await mention.innerText()).replace("@", "");
  await mention.click();
  await settled(tab.page);
  const handle = await tab.page.locator(".handle").first().innerText();
  assert.is(handle.split("\n")[0]?.toLowerCase(), `@${name}`.toLowerCase());
  await hasFocus(tab.page, "h1");
  await follow(tab.page, "/@lighthouse");
  const tag = tab.page.locator(".words .hashtag").first();
  const text = await tag.innerText();
  await tag.click();
  await settled(tab.page);
  assert.is(await tab.page.locator("h1").innerText(), `Search: ${text}`);
  assert.is(await tab.page.getByRole("searchbox", { name: "Search" }).inputValue(), text);
  await tab.page.locator(".statuses .words", { hasText: text }).first().waitFor();
});

Reading.test("shows a box of the picture's shape with its name when it does not load", async () => {
  const name = await userWithPicture();
  await tab.page.route("**/pictures/*.svg", (route) => route.abort());
  await open(tab.page, `/@${name}`);
  const box = tab.page.locator(".picture").first();
  await box.scrollIntoViewIfNeeded();
  await tab.page.waitForSelector('.picture[data-state="missing"]');
  const { width, height } = (await box.boundingBox()) as { width: number; height: number };
  const [, w, h] = /aspect-ratio: (\d+) \/ ([\d.]+)/.exec((await box.getAttribute("style")) ?? "") ?? [];
  const ratio = Number(w) / Number(h);
  assert.ok(Math.abs(width / height - ratio) < 0.02 * ratio, `${width} × ${height} is not ${ratio}`);
  assert.match(await box.innerText(), "The picture did not load");
  await tab.page.unroute("**/pictures/*.svg");
});

Reading.test("finds people by the beginning of a name, and statuses by words, from the header", async () => {
  await follow(tab.page, "/");
  const field = tab.page.getByRole("searchbox", { name: "Search" });
  await field.fill("@lightho");
  await field.press("Enter");
  await tab.page.waitForURL("**/search?q=*");
  await settled(tab.page);
  assert.equal(await tab.page.locator(".person .handle > span:first-child").allInnerTexts(), ["@lighthouse"]);
  assert.match(await tab.page.locator("#news").innerText(), "1 person found");
  await hasFocus(tab.page, "h1");
  await field.fill("welly red");
  await field.press("Enter");
  await tab.page.getByRole("heading", { name: "Search: welly red" }).waitFor();
  await tab.page.getByRole("region", { name: "Statuses" }).getByText("One red welly").first().waitFor();
  await tab.page.getByText("Nobody of that name.").waitFor();
  await keepScreenshot(tab.page, "search-1280");
});

Reading.test("says how many words a search needs, and that nothing was found", async () => {
  await follow(tab.page, "/search");
  assert.match(await tab.page.locator("main .note").innerText(), "Write a name or some words");
  for (const q of ["zzzzzz", "?!", "x".repeat(100)]) {
    await follow(tab.page, `/search?q=${encodeURIComponent(q)}`);
    await tab.page.getByText("No status has these words.").waitFor();
  }
});

Reading.test("shows that a name is unknown, also one that no user can have", async () => {
  for (const name of ["unknown-user", "ids", "requests", "search", "settings", ".."]) {
    await follow(tab.page, `/@${name}`);
    await tab.page.getByRole("heading", { name: `There is no user called ${name}`, exact: true }).waitFor();
  }
});

Reading.test("opens a status by its address, and shows when it is deleted", async () => {
  const [first] = await idsOf("lighthouse");
  await follow(tab.page, "/@lighthouse");
  await tab.page.locator(".age").first().click();
  await tab.page.waitForURL(`**/@lighthouse/status/${first}`);
  await settled(tab.page);
  assert.is(await tab.page.locator("article.main").getAttribute("data-id"), `${first}`);
  assert.match(await tab.page.title(), "Kittiwick Lighthouse: ");
  await follow(tab.page, "/@lighthouse/status/1");
  assert.is(await tab.page.locator("h1").innerText(), "This status is gone");
});

Reading.test("shows that a reply is slow or missing, and tries again", async () => {
  const release = await hold(tab.page, /SocialUsers/, (route) => route.abort());
  await tab.page.goto("/@lighthouse");
  await tab.page.getByRole("status").getByText("Loading…").waitFor();
  release();
  await tab.page.getByText("The server cannot be reached.").waitFor();
  await tab.page.unroute(/SocialUsers/);
  await tab.page.getByRole("button", { name: "Try again" }).click();
  await tab.page.getByRole("heading", { name: "Kittiwick Lighthouse" }).waitFor();
});

Reading.test("offers nothing that a gateway of the interface alone does not serve", async () => {
  const urls = { ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl };
  const gateway = await launch("gateway", { ...urls, PUBLIC_OPERATIONS: "interface" });
  await inTab(Reading.browser, gateway.url, {}, async ({ page }) => {
    await open(page, "/@lighthouse");
    await page.waitForSelector("nav >> text=Register");
    await page.waitForSelector("nav >> text=Sign in", { state: "detached" });
    assert.equal(await page.locator(".facts a").allInnerTexts(), ["lighthouse.kittiwick.example"]);
    const text = await page.locator(".status .words").nth(2).innerText();
    await page.locator(".status .age").nth(2).click();
    await page.getByRole("heading", { name: "A status of Kittiwick Lighthouse" }).waitFor();
    assert.is(await page.locator(".status .words").innerText(), text);
    await follow(page, "/@lighthouse/status/1");
    assert.is(await page.locator("h1").innerText(), "This status is gone");
    await follow(page, "/join");
    assert.is(await page.locator("main a").count(), 0);
  });
  await gateway.close();
});

Reading.test("shows pictures of the sample data from the host that is asked", async () => {
  for (const url of [system.url, system.url.replace("127.0.0.1", "roost.localhost")]) {
    await inTab(Reading.browser, url, {}, async ({ page }) => {
      await open(page, "/@lighthouse");
      const picture = page.locator(".profile .avatar img[data-state=shown]");
      const address = `${url}/pictures/faces/lighthouse.svg`;
      assert.is(await picture.getAttribute("src"), address);
      // Other clients, too.
      assert.is(await page.evaluate(readPicture), address);
    });
  }
});

Reading.test("shows the newer view when an older one is still loading", async () => {
  await follow(tab.page, "/join");
  // Fails when the page has abandoned the request already.
  const release = await hold(tab.page, /=lighthouse/, (route) => route.continue().catch(() => {}));
  await tab.page.evaluate(clickBoth);
  await tab.page.waitForSelector(".handle");
  release();
  // A late reply of the older view would be shown before this.
  await tab.page.evaluate("fetch('/social/lighthouse').then((reply) => reply.text())");
  assert.match(await tab.page.locator(".handle").innerText(), "@MissQuill");
});

const readPicture = `fetch("/social/lighthouse").then((reply) => reply.json())
  .then(({ results }) => new URL(results[0].profile_image_url, location.href).href)`;

const clickBoth = `for (const user of ["lighthouse", "MissQuill"]) {
  const link = Object.assign(document.createElement("a"), { href: "/@" + user });
  document.querySelector("header").append(link);
  link.click();
}`;

Reading.run();

/** Follows a link to another page of the list. */
async function turn(link: string): Promise<void> {
  const before = tab.page.url();
  await tab.page.click(`nav ${link}`);
  await tab.page.waitForURL((url) => url.href !== before);
  await settled(tab.page);
}

function isThere(selector: string): Promise<boolean> {
  return tab.page.locator(selector).isVisible();
}

function shown(page: Page = tab.page): Promise<number[]> {
  return page.evaluate("[...document.querySelectorAll('.status')].map((each) => Number(each.dataset.id))");
}

function waitForFirst(id: number): Promise<unknown> {
  return tab.page.waitForSelector(`.statuses > li:first-child [data-id="${id}"]`);
}

async function idsOf(user: string): Promise<number[]> {
  const found: number[] = [];
  for (let maxId = ""; ; ) {
    const part = await statuses(`/social/${user}/timelines?take=200${maxId}`);
    found.push(...part.map(({ id }) => id));
    if (part.length < 200) return found;
    maxId = `&maxId=${(found.at(-1) as number) - 1}`;
  }
}

async function userWithPicture(): Promise<string> {
  for (const user of ["lighthouse", "MissQuill", "tamsin-bakes", "dougal_nets", "mizuho_utsuwa"]) {
    const first = (await statuses(`/social/${user}/timelines?take=20`)).find(({ entities }) => entities.media);
    if (first !== undefined) return user;
  }
  throw new Error("the sample data has no picture");
}

async function statuses(path: string): Promise<{ id: number; entities: { media?: unknown[] } }[]> {
  const reply = await fetch(system.url + path);
  return ((await reply.json()) as { results: { id: number; entities: { media?: unknown[] } }[] }).results;
}
