import type { Browser } from "playwright-core";
import type { Test } from "uvu";
import * as assert from "uvu/assert";
import { importSample } from "../../services/local/load-sample.ts";
import { joinBrowser, leaveBrowser } from "../support/browser.ts";
import { textsOf } from "../support/people.ts";
import { share } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import { inSharedTab, type Tab } from "../support/tab.ts";
import { askAs } from "../support/visitors.ts";
import { newName, register } from "./register.ts";

/** Tests of the page in this room's browser. */
export interface PageSuite {
  browser: Browser;
  test: Test;
  /** Adds a test that begins in an empty tab, not signed in. */
  inTab(title: string, test: (tab: Tab) => Promise<void>): void;
  /** Adds a test that begins in an empty tab, signed in as a new user. */
  asPerson(title: string, test: (tab: Tab, name: string) => Promise<void>): void;
  /** The results that an anonymous visitor reads, and the texts of a user's timeline, the newest first. */
  resultsOf(path: string): Promise<Record<string, unknown>[]>;
  textsOf(name: string): Promise<unknown[]>;
  /** To be called when all tests are added; without a browser none runs. */
  run(): void;
}

/**
 * Begins a suite of the page.
 * @param take is given the system with the sample data, which all files of the room share, before the first test
 */
export async function pageSuite(name: string, take?: (system: TestSystem) => void): Promise<PageSuite> {
  const tests = suite(`page: ${name}`);
  sampleSystem.join();
  const browser = (await joinBrowser()) as Browser;
  let url: string;
  tests.before(async () => {
    const system = await sampleSystem.get();
    url = system.url;
    take?.(system);
  });
  const resultsOf = async (path: string) => (await askAs({ url }, path)).results;
  return {
    browser,
    test: tests,
    resultsOf,
    textsOf: async (name) => textsOf(await resultsOf(`/social/${name}/timelines`)),
    inTab: (title, test) => tests(title, () => inSharedTab(browser, url, test)),
    asPerson(title, test) {
      const userName = newName("person");
      tests(title, () =>
        inSharedTab(browser, url, async (tab) => {
          await register(tab, userName);
          await test(tab, userName);
        }),
      );
    },
    run() {
      // After the tests' own hooks.
      tests.after(async () => {
        await leaveBrowser();
        await sampleSystem.leave();
      });
      if (browser !== undefined) tests.run();
    },
  };
}

/** The whole system with the sample data, for tests that only read. */
const sampleSystem = share(startSampleSystem, (system) => system.stop());

async function startSampleSystem(): Promise<TestSystem> {
  const system = await startTestSystem();
  await importSample({ ...system, serviceTokens: [] }, (refusal) => assert.unreachable(refusal));
  return system;
}
