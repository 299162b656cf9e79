import type { Browser } from "playwright-core";
import * as assert from "uvu/assert";
import { importSample } from "../../services/local/load-sample.ts";
import { joinBrowser, leaveBrowser } from "../support/browser.ts";
import { textsOf } from "../support/people.ts";
import { share } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import { inSharedTab, type Tab } from "../support/tab.ts";
import { askAs } from "../support/visitors.ts";
import { newName, register } from "./acts.ts";

/** Begins a suite of the page in this room's browser, on one system with the sample data for all files of the room. */
export async function pageSuite(name: string) {
  const tests = suite(`page: ${name}`);
  sampleSystem.join();
  const browser = (await joinBrowser()) as Browser;
  const system = {} as TestSystem;
  tests.before(async () => void Object.assign(system, await sampleSystem.get()));
  /** The results that an anonymous visitor reads. */
  const resultsOf = async (path: string) => (await askAs(system, path)).results;
  return {
    browser,
    /** Its fields are there from before the first test on. */
    system,
    test: tests,
    resultsOf,
    /** The texts of a user's timeline, the newest first. */
    textsOf: async (name: string) => textsOf(await resultsOf(`/social/${name}/timelines`)),
    /** Adds a test that begins in an empty tab, not signed in. */
    inTab(title: string, test: (tab: Tab) => Promise<void>): void {
      tests(title, () => inSharedTab(browser, system.url, test));
    },
    /** Adds a test that begins in an empty tab, signed in as a new user. */
    asPerson(title: string, test: (tab: Tab, name: string) => Promise<void>): void {
      const userName = newName("person");
      tests(title, () =>
        inSharedTab(browser, system.url, async (tab) => {
          await register(tab, userName);
          await test(tab, userName);
        }),
      );
    },
    /** To be called when all tests are added; without a browser none runs. */
    run(): void {
      // After the tests' own hooks.
      tests.after(async () => {
        await leaveBrowser();
        await sampleSystem.leave();
      });
      if (browser !== undefined) tests.run();
    },
  };
}

const sampleSystem = share(startSampleSystem, (system) => system.stop());

async function startSampleSystem(): Promise<TestSystem> {
  const system = await startTestSystem();
  await importSample({ ...system, serviceTokens: [] }, (refusal) => assert.unreachable(refusal));
  return system;
}
