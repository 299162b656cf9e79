import type { Page } from "playwright-core";

/** Opens an address and waits until its view is shown. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
}

/** Follows a link to an address, which costs a tenth of opening it. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`(() => {
    const link = document.createElement("a");
    link.href = ${JSON.stringify(path)};
    document.querySelector("header").append(link);
    link.click();
    link.remove();
  })()`);
  await settled(page);
}

/** Waits until the view of the address is shown. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector("main:not([aria-busy]) h1");
}
