import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page, Request } from "playwright-core";
import * as assert from "uvu/assert";
import { joinBrowser, leaveBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { person, publish } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";
import { expectQuiet, openTab, type Tab } from "../support/tab.ts";
import { choose, hasFocus, newName, open, register, settled } from "./acts.ts";

// On a system of their own: no other test writes there.
const News = suite("page: home and news");
const browser = await joinBrowser();
const system = useSystem(News);
let tab: Tab;
let page: Page;
let name: string;

News.before.each(async () => {
  tab = await openTab(browser as Browser, system.url);
  page = tab.page;
  name = newName("reader");
  await register(tab, name);
});
News.after.each(async () => {
  expectQuiet(tab);
  await page.context().close();
});
News.after(leaveBrowser);

News("tell a new user whom to follow, and show at once what those write", async () => {
  const [first, second] = [await person(system, "first"), await person(system, "second")];
  await publish(system, first, "first words");
  await publish(system, second, "second words");
  await open(page, "/");
  const suggested = page.getByRole("region", { name: "Whom to follow" });
  await page.getByText("Nothing yet.").waitFor();
  for (const [author, text] of [
    [first, "first words"],
    [second, "second words"],
  ] as const) {
    await suggested.getByRole("button", { name: `Follow @${author.name}` }).click();
    await suggested.getByText(`You follow @${author.name}.`).waitFor();
    await home().getByText(text).waitFor();
  }
  assert.is(await suggested.getByRole("button", { name: "Following" }).count(), 2);
  await open(page, "/");
  assert.equal(await textsAtHome(), ["second words", "first words"]);
  assert.is(await suggested.count(), 0);
});

News("begin with the user's own home where the browser has a session and has not stored whose it is", async () => {
  await publish(system, await followed("early"), "first of all");
  let isAnswered = false;
  await page.route(/Authenticate/, async (route) => {
    await sleep(300);
    isAnswered = true;
    await route.continue();
  });
  await open(page, "/");
  assert.ok(isAnswered);
  assert.equal(await textsAtHome(), ["first of all"]);
});

News("are counted over the list in another window, which does not move until they are wanted", async () => {
  const author = await followed("steady");
  for (let round = 1; round <= 15; round += 1) await publish(system, author, `round ${round}`);
  await open(page, "/");
  await page.evaluate("scrollTo(0, 400)");
  const before = await textsAtHome();
  const place = () => page.locator("article").nth(5).boundingBox();
  const placeBefore = await place();
  for (const text of ["new one", "new two", "new three"]) await publish(system, author, text);
  await countsNews(3);
  assert.equal(await textsAtHome(), before);
  assert.equal(await place(), placeBefore);
  await page.locator(".news [role=status]").getByText("3 new").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "3 new" }).click();
  assert.equal(await textsAtHome(), ["new three", "new two", "new one", ...before]);
  assert.is(await page.evaluate("scrollY"), 0);
  await hasFocus(page, "li:first-child article");
  // Each is told once.
  await publish(system, author, "the last");
  await countsNews(1);
});

News("of two users in two windows reach each other", async () => {
  const other = await openTab(browser as Browser, system.url);
  const otherName = newName("other");
  await register(other, otherName);
  await open(page, "/everyone");
  await open(other.page, "/everyone");
  for (const [from, to, text] of [
    [page, other.page, "from here"],
    [other.page, page, "and back"],
  ] as const) {
    await from.locator(".composer textarea").fill(text);
    await from.getByRole("button", { name: "Publish" }).click();
    await from.getByText("Your status is published.").waitFor();
    await countsNews(1, to);
    await to.getByRole("button", { name: "1 new" }).click();
    await to.locator(".statuses > li:first-child").getByText(text).waitFor();
  }
  await other.page.context().close();
});

News("count mentions in the header until the user looks at them", async () => {
  await open(page, "/");
  const link = (label: string) => page.getByRole("banner").getByRole("link", { name: label, exact: true });
  await link("Mentions").waitFor();
  const author = await person(system, "caller");
  await eventually("the first point is stored", () =>
    page.evaluate("Object.keys(localStorage).some((key) => key.startsWith('roost.mentions.'))"),
  );
  await publish(system, author, `hello @${name}`);
  await eventually("a mention is counted", async () => {
    await look(page);
    return link("Mentions, 1 new").isVisible();
  });
  // Also after a reload, and until they are seen.
  await open(page, "/everyone");
  await link("Mentions, 1 new").click();
  await page.getByRole("heading", { name: "Mentions" }).waitFor();
  await page.getByRole("region", { name: "Mentions" }).getByText("hello").waitFor();
  await link("Mentions").waitFor();
  await open(page, "/everyone");
  await link("Mentions").waitFor();
});

News("show what a status answers above it, and its answers below it", async () => {
  const { statuses } = system.clients;
  const [asking, answering] = [await person(system, "asking"), await person(system, "answering")];
  const { id: question } = await publish(system, asking, "a question");
  const reply = async (text: string, to: { id: bigint }, id: bigint) => {
    const fields = { authorId: answering.id, text, inReplyToUserId: to.id, inReplyToStatusId: id };
    const { status } = await statuses.publishStatus(fields as never);
    return (status as { id: bigint }).id;
  };
  const answer = await reply("an answer", asking, question);
  const last = await reply("one more word", answering, answer);
  const parts = (part: string) => page.locator(`${part} .words`).allInnerTexts();
  await open(page, `/@${answering.name}/status/${last}`);
  assert.equal(await parts(".above"), ["a question", "an answer"]);
  await open(page, `/@${answering.name}/status/${answer}`);
  assert.equal(
    [await parts(".above"), await parts("article.main"), await parts(".timeline")],
    [["a question"], ["an answer"], ["one more word"]],
  );
  await page.getByRole("article").nth(1).getByRole("button", { name: "Reply" }).click();
  await hasFocus(page, `textarea`);
  await page.keyboard.press("End");
  await page.keyboard.type("and mine");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("region", { name: "Answers" }).getByText("and mine").waitFor();
});

News("keep favourites in a list of the user's own", async () => {
  const author = await person(system, "liked");
  await publish(system, author, "worth a star");
  await open(page, `/@${author.name}`);
  const marked = page.waitForResponse("**/MarkStatus");
  await page.getByRole("button", { name: "Favourite" }).click();
  await marked;
  await choose(page, "Favourites");
  await settled(page);
  await page.getByRole("region", { name: "Favourites" }).getByText("worth a star").waitFor();
});

News("say while they cannot be had, and come when they can", async () => {
  const author = await followed("patient");
  await page.route(live, (route) => route.abort());
  await open(page, "/");
  await page.route("**/SocialHome", (route) => route.abort());
  const behind = page.locator(".news").getByText("The server does not answer. Trying again…");
  await eventually("it says so", async () => {
    await look(page);
    return behind.isVisible();
  });
  await page.unroute("**/SocialHome");
  await publish(system, author, "late words");
  await countsNews(1);
  assert.is(await behind.isVisible(), false);
});

News("come by a live stream to two people who follow each other, without a question", async () => {
  const other = await openTab(browser as Browser, system.url);
  const otherName = newName("friend");
  await register(other, otherName);
  await follow(page, otherName);
  await follow(other.page, name);
  await openLive(page);
  await openLive(other.page);
  const questions = [homeQuestions(page), homeQuestions(other.page)];
  for (const [from, to, text] of [
    [page, other.page, "live from here"],
    [other.page, page, "live and back"],
  ] as const) {
    await look(to);
    assert.is((await from.request.post("/timelines/publish", { data: { text } })).status(), 200);
    await to.getByRole("button", { name: "1 new", exact: true }).waitFor();
    // What the user wrote elsewhere is shown with them, and is not counted.
    assert.is(await from.locator(".news button").count(), 0);
    await to.getByRole("button", { name: "1 new", exact: true }).click();
    await to.locator(".statuses > li:first-child").getByText(text).waitFor();
  }
  assert.equal(await textsAtHome(), ["live and back", "live from here"]);
  assert.equal(questions, [[], []]);
  expectQuiet(other);
  await other.page.context().close();
});

News("come by questions while the stream is refused or unknown to the browser", async () => {
  const author = await followed("fallback");
  await page.route(live, (route) => route.fulfill({ status: 503 }));
  // From before the page is there, which asks as soon as the stream is refused.
  const questions = homeQuestions(page);
  await open(page, "/");
  await publish(system, author, "asked for");
  await countsNews(1);
  assert.ok(questions.some((question) => JSON.parse(question).cursor));
  await page.unroute(live);
  const opened = page.waitForResponse(live);
  await page.evaluate("dispatchEvent(new Event('online'))");
  assert.is((await opened).status(), 200);
  const before = questions.length;
  await look(page);
  await publish(system, author, "streamed");
  await page.getByRole("button", { name: "2 new", exact: true }).waitFor();
  assert.is(questions.length, before);

  await page.addInitScript("delete globalThis.EventSource");
  await open(page, "/");
  await publish(system, author, "to an old browser");
  await countsNews(1);
});

News("leave the stream while the page is hidden or offline, and catch up", async () => {
  const author = await followed("absent");
  const first = await openLive(page);
  const questions = homeQuestions(page);
  await hide(page, true);
  await isClosed(first);
  await publish(system, author, "while hidden");
  const second = nextStream(page);
  await hide(page, false);
  await page.getByRole("button", { name: "1 new", exact: true }).waitFor();
  await page.context().setOffline(true);
  await isClosed(await second);
  await page.getByRole("status").getByText("You are offline.").waitFor();
  await publish(system, author, "while offline");
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "2 new", exact: true }).waitFor();
  assert.equal(questions, []);
});

News("leave the stream at a navigation and a sign-out", async () => {
  const first = await openLive(page);
  await page.getByRole("link", { name: "Everyone" }).click();
  await isClosed(first);
  const second = await openLive(page);
  await choose(page, "Sign out");
  await isClosed(second);
});

News("take away what is gone, and put nothing above what is being read", async () => {
  const author = await followed("fickle");
  const { id } = await publish(system, author, "regretted");
  await publish(system, author, "kept");
  await openLive(page);
  await page.locator("article").nth(1).focus();
  await publish(system, author, "newer");
  await page.getByRole("button", { name: "1 new", exact: true }).waitFor();
  await system.clients.statuses.deleteStatus({ authorId: author.id, id });
  await home().getByText("regretted").waitFor({ state: "detached" });
  assert.equal(await textsAtHome(), ["kept"]);
  await hasFocus(page, "h1");
  await page.getByRole("button", { name: "1 new", exact: true }).click();
  assert.equal(await textsAtHome(), ["newer", "kept"]);
});

if (browser !== undefined) News.run();

const live = "**/timelines/home/live*";

/** Opens home, and resolves when its stream is open. */
async function openLive(window: Page): Promise<Request> {
  const stream = nextStream(window);
  await open(window, "/");
  return stream;
}

async function nextStream(window: Page): Promise<Request> {
  const reply = await window.waitForResponse(live);
  assert.is(reply.status(), 200);
  return reply.request();
}

/** Waits until the page has left a stream. */
async function isClosed(stream: Request): Promise<void> {
  await eventually("the stream is closed", async () => stream.failure() !== null);
}

/** The questions for what is new at home, from now on. */
function homeQuestions(window: Page): string[] {
  const questions: string[] = [];
  window.on("request", (request) => {
    if (new URL(request.url()).pathname === "/json/reply/SocialHome") questions.push(request.postData() ?? "");
  });
  return questions;
}

/** Hides a window, or shows it again: tabs of one browser without a screen are all visible. */
async function hide(window: Page, isHidden: boolean): Promise<void> {
  await window.evaluate(`
    Object.defineProperty(document, "hidden", { configurable: true, value: ${isHidden} });
    document.dispatchEvent(new Event("visibilitychange"));
  `);
}

async function follow(window: Page, other: string): Promise<void> {
  const reply = await window.request.post(`/social/${other}/follow`);
  assert.is(reply.status(), 200);
}

const home = () => page.getByRole("region", { name: "Home" });

function textsAtHome(): Promise<string[]> {
  return home().locator(".words").allInnerTexts();
}

/** A user whom the user of the tab follows. */
async function followed(word: string) {
  const author = await person(system, word);
  await follow(page, author.name);
  return author;
}

/** The window is looked at again, which makes it ask for news. */
async function look(window: Page): Promise<void> {
  await window.evaluate("dispatchEvent(new Event('focus'))");
}

async function countsNews(count: number, window = page): Promise<void> {
  await eventually(`${count} new`, async () => {
    await look(window);
    return window.getByRole("button", { name: `${count} new`, exact: true }).isVisible();
  });
}
