import type { Locator } from "playwright-core";
import * as assert from "uvu/assert";
import { follow, open } from "./acts.ts";
import { pageSuite } from "./page-suite.ts";

const ScreenReader = await pageSuite("screen reader");

ScreenReader.asPerson("has names and roles for a screen reader, and announces results", async ({ page }, name) => {
  await page.request.post("/timelines/publish", { data: { text: "one @lighthouse #two" } });
  await page.request.post("/social/lighthouse/follow");
  await open(page, `/@${name}`);
  assert.is(await spoken(page.locator("body"), name), ownPage);

  // The live regions exist before they have a text: a new region with a text is not read out.
  await follow(page, "/@lighthouse");
  const beside = page.locator(".relation > button:first-child + .said");
  await page.evaluate("window.regions = [...document.querySelectorAll('.notices [role], .relation > .said')]");
  await page.getByRole("button", { name: "Following" }).focus();
  await page.getByRole("button", { name: "Unfollow" }).waitFor();
  await page.keyboard.press("Enter");
  await beside.getByText("You do not follow @lighthouse any more.").waitFor();
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await beside.getByText("That did not work. You are offline.").waitFor();
  assert.match(await page.locator(".notices [role=status]").innerText(), /^You are offline\. What you write stays/);
  assert.is(await page.evaluate("regions.every((region) => region.isConnected)"), true);
  // The button still has its state.
  await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
  await page.context().setOffline(false);
});

ScreenReader.run();

/** The accessibility tree, without addresses; names, ids and times of this run are replaced. */
async function spoken(part: Locator, name: string): Promise<string> {
  const text = await part.ariaSnapshot();
  const kept = text.split("\n").filter((line) => !/- \/(?:url|placeholder):/.test(line));
  return kept
    .map((line) => line.replace(/(- link ".*"):$/, "$1"))
    .join("\n")
    .replaceAll(name, "NAME")
    .replaceAll(/\d+ \w{3} \d{4}, \d\d:\d\d/g, "TIME")
    .replaceAll(/since \d{4}/g, "since YEAR");
}

const ownPage = `\
- link "Skip to the content"
- banner:
  - link "Roost"
  - search:
    - searchbox "Search"
  - navigation "You":
    - button "Write"
    - link "Home"
    - link "Mentions"
    - button "Your menu"
- status: 1 status of NAME of the Hill. This is the oldest page.
- main:
  - region "Profile":
    - link "Edit profile"
    - heading "NAME of the Hill" [level=1]
    - paragraph: "@NAME"
    - list:
      - listitem: since YEAR
    - list:
      - listitem:
        - link "0 followers"
      - listitem:
        - link "1 following"
      - listitem: 1 status
  - heading "Statuses" [level=2]
  - list:
    - listitem:
      - article "Status of NAME of the Hill":
        - paragraph:
          - link "NAME of the Hill"
          - text: "@NAME"
          - link "TIME"
            - time: TIME
        - button "More"
        - paragraph:
          - text: one
          - link "@lighthouse"
          - link "#two"
        - list "What you can do with it":
          - listitem:
            - button "Reply"
          - listitem:
            - button "Repost"
          - listitem:
            - button "Favourite"
        - status
- contentinfo:
  - navigation "About Roost":
    - link "Reference"
    - link "Operations"
    - link "OpenAPI"
- status
- alert`;
