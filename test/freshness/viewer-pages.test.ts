import http from "node:http";
import * as assert from "uvu/assert";
import type { Running } from "../../services/platform/lifecycle.ts";
import { decoded } from "../support/decoded.ts";
import { sendHttp } from "../support/http.ts";
import { launch } from "../support/launch.ts";
import { isLong } from "../support/long.ts";
import { protect, publish, registerSignedIn } from "../support/people.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

// Over connections that stay open: half the processor time of fetch.
const agent = new http.Agent({ keepAlive: true });
const seenHeaders = "cache-control content-encoding access-control-allow-origin vary x-autobatch-completed".split(" ");
const redis = await startTestRedisFor("cached replies to viewers, with Redis");
for (const url of redis ? [undefined, redis.url] : [undefined]) describe(url);

function describe(redisUrl: string | undefined): void {
  const Viewers = suite(`cached replies to viewers, ${redisUrl ? "pages in Redis" : "without Redis"}`);
  let services: TestServices;
  let cached: Running;
  let uncached: Running;
  let [ann, bea, cay, dee] = [0n, 0n, 0n, 0n];
  const sessions: Record<string, string> = {};

  Viewers.before(async () => {
    const settings = redisUrl ? { REDIS_URL: redisUrl, REDIS_TIMEOUT_MS: "10000" } : {};
    services = await startTestServices(settings);
    const env = { ACCOUNT_URL: services.accountUrl, SOCIAL_URL: services.socialUrl };
    cached = await launch("gateway", { ...env, ...settings });
    uncached = await launch("gateway", { ...env, PAGE_CACHE_BYTES: "0" });
    const signUp = async (name: string) => {
      const { userId, sessionId } = await registerSignedIn(services, name);
      sessions[name] = sessionId;
      return userId;
    };
    [ann, bea, cay, dee] = [await signUp("ann"), await signUp("bea"), await signUp("cay"), await signUp("dee")];
  });
  Viewers.after(async () => {
    agent.destroy();
    await cached?.close();
    await uncached?.close();
    await services?.stop();
    if (redisUrl !== undefined || !redis) await redis?.stop();
  });

  const bystanders = ["bea", "cay", ""];
  /** In the short form the pages without Redis are compared after every third change only. */
  const every = isLong || redisUrl !== undefined || !redis ? 1 : 3;
  const reads: { path: string; body?: string; isJoined?: boolean }[] = [
    { path: "/social/bea" },
    { path: "/social/bea/timelines?take=5" },
    { path: "/social/ann,bea,unknown", isJoined: true },
    { path: "/json/reply/SocialTimelines[]", body: '[{"screenName":"bea","take":5},{"screenName":"bea","take":5}]' },
    {
      path: "/json/reply/SocialUsers[]",
      body: '[{"screenNames":"bea"},{"screenNames":"ann,bea,unknown"}]',
      isJoined: true,
    },
  ];
  /** The replies of all gateways, by their entity tags: equal tags, equal bytes. */
  const tagged = new Map<string, string>();

  /** The reply to a user, or to an anonymous caller for "". */
  async function look({ url }: Running, name: string, more: Record<string, string> = {}) {
    const session: Record<string, string> = name === "" ? {} : { authorization: `Bearer ${sessions[name]}` };
    const headers = { "accept-encoding": "identity", ...session, ...more };
    return Promise.all(
      reads.map(async ({ path, body, isJoined = false }) => {
        const json = { ...headers, "content-type": "application/json" };
        const asPost = body !== undefined && { method: "POST", body, headers: json };
        const reply = await sendHttp(`${url}${path}`, { agent, headers, ...asPost });
        const text = `${decoded(reply.body, reply.headers["content-encoding"])}`;
        const { etag } = reply.headers;
        if (etag !== undefined) assert.is(text, tagged.get(etag) ?? text, etag);
        if (etag !== undefined) tagged.set(etag, text);
        // The tag of a lookup of several users names their states, that of other replies to viewers the bytes.
        const shown = name === "" || isJoined ? seenHeaders : ["etag", ...seenHeaders];
        return [reply.status, text, ...shown.map((header) => reply.headers[header])];
      }),
    );
  }

  /** Three times: new, cached, and by the fast path. In the short form one of the three other users, in turns. */
  async function isRight(what: string): Promise<void> {
    bystanders.push(bystanders.shift() as string);
    for (const name of ["ann", ...(isLong ? bystanders : bystanders.slice(2))]) {
      const right = await look(uncached, name);
      for (let round = 0; round < 3; round++) {
        assert.equal(await look(cached, name), right, `${what}, ${name}, round ${round}`);
      }
      const compressed = await look(cached, name, { "accept-encoding": "gzip" });
      assert.equal(compressed.map(withoutEncoding), right.map(withoutEncoding), `${what}, ${name}, compressed`);
    }
  }

  async function isRightAfterEach(acts: Record<string, () => Promise<unknown>>): Promise<void> {
    for (const [index, [what, act]] of Object.entries(acts).entries()) {
      await act();
      if ((index + 1) % every === 0) await isRight(what);
    }
  }

  Viewers("show the same as an uncached gateway after every change of a viewer's relations", async () => {
    const { graph, statuses, profiles } = services.clients;
    const [first, second] = [await publish(services, bea, "one"), await publish(services, bea, "two")];
    const pair = { followerId: ann, userId: bea };
    const acts: Record<string, () => Promise<unknown>> = {
      nothing: async () => {},
      follow: () => graph.follow(pair),
      notify: () => graph.setNotifications({ ...pair, notifications: true }),
      favorite: () => statuses.favorite({ userId: ann, status: first }),
      repost: () => statuses.repost({ userId: ann, status: second }),
      publish: () => publish(services, bea, "three"),
      protect: () => protect(services, { id: bea }),
      remove: () => graph.removeFollower(pair),
      ask: () => graph.follow(pair),
      reject: () => graph.removeFollower(pair),
      "ask again": () => graph.follow(pair),
      approve: () => graph.approveFollower(pair),
      unfavorite: () => statuses.unfavorite({ userId: ann, status: first }),
      unfollow: () => graph.unfollow(pair),
      open: () => profiles.setProtected({ userId: bea, protected: false }),
      "delete what was reposted": () => statuses.deleteStatus(second),
    };
    await isRightAfterEach(acts);
  });

  Viewers("show the same as an uncached gateway after every change of reposts, marks, mutes and blocks", async () => {
    const { graph, statuses, people, profiles } = services.clients;
    const status = await publish(services, cay, "original");
    const pair = { followerId: ann, userId: cay };
    const named = { userId: ann, screenName: "cay" };
    const back = { userId: cay, screenName: "ann" };
    const acts: Record<string, () => Promise<unknown>> = {
      repost: () => statuses.repost({ userId: bea, status }),
      mark: () => statuses.favorite({ userId: ann, status }),
      mute: () => people.muteUser(named),
      unmute: () => people.muteUser({ ...named, muted: false }),
      block: () => people.blockUser(named),
      unblock: () => people.blockUser({ ...named, blocked: false }),
      "be blocked": () => people.blockUser(back),
      "be unblocked": () => people.blockUser({ ...back, blocked: false }),
      protect: () => protect(services, { id: cay }),
      ask: () => graph.follow(pair),
      approve: () => graph.approveFollower(pair),
      remove: () => graph.removeFollower(pair),
      open: () => profiles.setProtected({ userId: cay, protected: false }),
    };
    await isRightAfterEach(acts);
  });

  const asked = () => services.logged.filter(({ rpc }) => `${rpc}`.endsWith("/SocialTimelines")).length;

  /** The number of pages requested from the social service while these users read three times each. */
  async function askedFor(...names: string[]): Promise<number> {
    const before = asked();
    for (let round = 0; round < 3; round++) for (const name of names) await look(cached, name);
    return asked() - before;
  }

  Viewers("are requested from the social service once for all viewers with the same relations", async () => {
    const { graph, statuses } = services.clients;
    const pair = { followerId: ann, userId: bea };
    const other = await publish(services, dee, "of another author");
    // So many that the page shows no repost, which its original's author sees in another way.
    for (const text of ["1", "2", "3", "4", "5"]) await publish(services, bea, text);
    assert.is(await askedFor("cay"), 1);
    assert.is(await askedFor("dee", "cay"), 0);
    await graph.follow(pair);
    // The author's own counters have changed, so a follower and others need new pages.
    assert.is(await askedFor("cay", "dee", "ann"), 2);
    await graph.setNotifications({ ...pair, notifications: true });
    assert.is(await askedFor("cay", "dee", "ann"), 1);
    // Relations to another author do not matter here.
    await statuses.favorite({ userId: ann, status: other });
    await statuses.favorite({ userId: ann, status: other });
    assert.is(await askedFor("cay", "dee", "ann"), 0);
    await isRight("after all");
  });

  Viewers("are the viewer's own when several viewers read at the same time", async () => {
    await publish(services, bea, "asked for at once");
    const names = ["ann", "bea", "cay", "dee"];
    const looks = await Promise.all([...names, ...names].map((name) => look(cached, name)));
    for (const [index, name] of [...names, ...names].entries()) assert.equal(looks[index], await look(uncached, name));
  });

  Viewers("are cached by the version of the viewer for a viewer with more than 5,000 relations", async () => {
    const many = "insert into social.follow (follower_id, user_id) select $1, n from generate_series(1, 5001) as n";
    await services.database.query(many, [cay]);
    await services.clients.statuses.favorite({ userId: cay, status: await publish(services, bea, "one of many") });
    assert.is(await askedFor("cay"), 1);
    await isRight("with very many");
  });

  Viewers("have the headers of each origin, and count cookies only where they are trusted", async () => {
    const origin = { origin: "https://other.example" };
    const cookie = { cookie: `a=b; ss-id=${sessions["ann"]}` };
    for (let round = 0; round < 3; round++) {
      for (const [name, headers] of [
        ["", origin],
        ["ann", origin],
        ["", cookie],
        ["", { ...cookie, ...origin }],
        ["", { ...cookie, "sec-fetch-site": "cross-site" }],
        ["", { ...cookie, "sec-fetch-site": "same-origin", ...origin }],
      ] as const) {
        assert.equal(await look(cached, name, headers), await look(uncached, name, headers), JSON.stringify(headers));
      }
    }
  });

  Viewers.run();
}

/** What two replies have in common that differ in their encoding only. */
function withoutEncoding(shown: readonly unknown[]): unknown[] {
  return shown
    .filter((value) => value !== "gzip" && value !== undefined)
    .map((value) => `${value}`.replace(/-gzip"$/, '"'));
}
