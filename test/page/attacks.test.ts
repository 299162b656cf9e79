import type { BrowserContext, Page, Response } from "playwright-core";
import * as assert from "uvu/assert";
import { isLong, times } from "../support/long.ts";
import { newName } from "./acts.ts";
import {
  type AttackServer,
  type Attempt,
  attackScript,
  attacksByNavigation,
  attacksByScript,
  startAttackServer,
} from "./attacks.ts";
import { pageSuite } from "./page-suite.ts";

let server: AttackServer;
const Attacks = await pageSuite("attacks");
const { system } = Attacks;

Attacks.test.before(async () => {
  server = await startAttackServer();
});
Attacks.test.after(() => server.stop());

// A browser resolves names under localhost to this machine, and treats each second label as another site.
const at = (host: string, port: string) => `http://${host}.localhost:${port}`;

Attacks.test("by a page of another site or of a sibling domain change nothing and set no cookie", async () => {
  const context = await Attacks.browser.newContext();
  // Long, since a busy machine is slow.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const home = at("www.town", new URL(system.url).port);
  const stranger = await register(page, home, newName("stranger"));
  const victim = await register(page, home, newName("victim"));
  const before = await stateOf(context, victim);
  for (const host of ["evil", "blog.town"]) {
    let requests = 0;
    for (const popup of context.pages().slice(1)) await popup.close();
    await page.goto(at(host, server.port));
    for (const [number, [attack, script]] of Object.entries(attacks).entries()) {
      // One of the eight, another one for the next attack and for the other host; all in the long form.
      const shift = number + 4 * Number(host === "evil");
      const some = attempts(stranger).filter((_, index) => isLong || (index + shift) % 8 === 0);
      for (const attempt of some) requests += await run(page, attack, script, home, attempt);
      assert.is(await stateOf(context, victim), before, `${attack} of ${host}`);
    }
    assert.ok(requests > times(40, 300), `${requests}`);
  }

  // The same requests of our own page take effect.
  await page.goto(`${home}/docs`);
  for (const attempt of attempts(stranger).slice(0, 4)) {
    const then = await stateOf(context, victim);
    await page.evaluate(attackScript(`await sent(fetch(url, { method: "POST", body: json() }));`, home, attempt));
    assert.is.not(await stateOf(context, victim), then, attempt.path);
  }
  await context.close();
});

Attacks.test("by pictures and links that another user has chosen change nothing", async () => {
  const context = await Attacks.browser.newContext();
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const home = at("www.town", new URL(system.url).port);
  const stranger = await register(page, home, newName("stranger"));
  const acts = attempts(stranger).map(({ path, fields }) => `${home}${path}?${new URLSearchParams(fields as never)}`);
  const victim = await register(page, home, newName("victim"));
  const before = await stateOf(context, victim);
  // As if the page showed every address so.
  await page.evaluate(`(async () => {
    for (const tag of ["img", "iframe", "video"]) {
      for (const address of ${JSON.stringify(acts)}) {
        const element = document.body.appendChild(document.createElement(tag));
        await new Promise((resolve) => {
          element.onload = element.onerror = element.onloadeddata = resolve;
          element.setAttribute("src", address);
          setTimeout(resolve, 1_000);
        });
      }
    }
  })()`);
  assert.is(await stateOf(context, victim), before, "pictures and frames");
  for (const act of acts) {
    await page.goto(`${home}/docs`);
    await Promise.all([page.waitForURL(act), page.evaluate(`location.assign(${JSON.stringify(act)})`)]);
  }
  assert.is(await stateOf(context, victim), before, "links");
  await context.close();
});

Attacks.run();

// Navigation first, since the process of its window, which stays open, is used for the frames.
const attacks: Record<string, string> = { ...attacksByNavigation, ...attacksByScript };

interface Person {
  userName: string;
  sessionId: string;
}

const password = "correct horse";

/** The requests of an attacker, by one session or the other; among them a sign-in as the attacker. */
function attempts(stranger: Person): Attempt[] {
  return [
    { path: "/timelines/publish", fields: { text: "pwned" } },
    { path: "/social/lighthouse/follow", fields: { following: true } },
    { path: "/profile", fields: { name: "pwned", protected: true } },
    { path: "/auth", fields: { userName: stranger.userName, password } },
    { path: "/auth/logout", fields: {} },
    { path: "/register", fields: { userName: "*", password, autoLogin: true } },
    { path: "/auth/password", fields: { oldPassword: password, newPassword: "another horse" } },
    { path: "/profile/delete", fields: { password } },
  ];
}

/** Makes one attempt by one attack. @returns the number of requests */
async function run(page: Page, attack: string, script: string, home: string, attempt: Attempt): Promise<number> {
  const tryIt = () => page.evaluate(attackScript(script, home, attempt)) as Promise<number>;
  if (!(attack in attacksByNavigation)) return tryIt();
  const answered = (reply: Response) => reply.request().isNavigationRequest() && reply.url().startsWith(home);
  const [, count] = await Promise.all([page.context().waitForEvent("response", answered), tryIt()]);
  return count;
}

/** Registers a user on our own page, signed in with the cookie. */
async function register(page: Page, home: string, userName: string): Promise<Person> {
  await page.goto(`${home}/docs`);
  const attempt = { path: "/register", fields: { userName, password, autoLogin: true } };
  const reply = await page.evaluate(
    attackScript(`return fetch(url, { method: "POST", body: json() }).then((reply) => reply.json());`, home, attempt),
  );
  return reply as Person;
}

/** Everything that an attack could change: the cookies, the session's user, the list of sessions, and the profile. */
async function stateOf(context: BrowserContext, { userName, sessionId }: Person): Promise<string> {
  const headers = { authorization: `Bearer ${sessionId}` };
  const read = async (path: string) => (await fetch(system.url + path, { headers })).json() as Promise<unknown>;
  const cookies = (await context.cookies()).map(({ name, value, domain }) => `${domain} ${name}=${value}`);
  return JSON.stringify([
    cookies,
    await read("/auth"),
    await read("/auth/sessions"),
    await read(`/social/${userName}`),
  ]);
}
