import * as assert from "uvu/assert";
import { importSample, readSample } from "../../services/local/load-sample.ts";
import { isLong, times } from "../support/long.ts";
import { suite } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";
import { type CheckReply, createReplyCheck, type OpenApi } from "./open-api.ts";

const Live = suite("discovery: live replies");
const system = useSystem(Live);

const { users } = readSample();
/** Of every user; in the short form of every second one. */
const names = users.map((user) => String(user.screen_name)).filter((_, index) => isLong || index % 2 === 0);

let check: CheckReply;

/** The largest take of a timeline. */
const maxTake = times(3, 60);
/** The least number of replies to compare. */
const minReplies = times(200, 2_000);

/** A path of the document, and a request to it. */
type Ask = [template: string, target: string, body?: unknown];

Live.before(async () => {
  await importSample({ ...system, serviceTokens: [] }, (refusal) => assert.unreachable(refusal));
  const document = (await (await fetch(`${system.url}/openapi.json`)).json()) as OpenApi;
  check = createReplyCheck(document);
});

Live(`match the document's schemas: ${minReplies} of users, timelines, registrations and errors`, async () => {
  const session = await signIn();
  const seen = new Map<string, number>();
  const faults: string[] = [];
  const asks = [...lookups(), ...timelines(), ...registrations(), ...refusals()];
  const one = async ([template, target, body]: Ask, index: number) => {
    const headers = index % 3 === 0 ? { authorization: `Bearer ${session}` } : undefined;
    const verb = body === undefined ? "get" : "post";
    const init = { method: verb.toUpperCase(), headers, body: body === undefined ? undefined : JSON.stringify(body) };
    const response = await fetch(`${system.url}${target}`, init);
    const fault = check(template, response.status, await response.json());
    if (fault !== undefined) faults.push(`${verb} ${target} → ${response.status}: ${fault}`);
    seen.set(`${response.status}`, (seen.get(`${response.status}`) ?? 0) + 1);
  };
  for (let from = 0; from < asks.length; from += 20) {
    await Promise.all(asks.slice(from, from + 20).map((ask, index) => one(ask, from + index)));
  }
  assert.equal(faults.slice(0, 5), []);
  assert.ok(asks.length >= minReplies, `${asks.length}`);
  assert.ok(
    (seen.get("200") ?? 0) > minReplies * 0.6 && (seen.get("400") ?? 0) > times(50, 200),
    JSON.stringify([...seen]),
  );
  assert.ok((seen.get("404") ?? 0) > times(5, 20), JSON.stringify([...seen]));
});

Live("with an unknown field, a missing one or a wrong type do not match", async () => {
  const path = "/social/{ScreenName}/timelines";
  const reply = await fetch(`${system.url}/social/${names[0]}/timelines?take=1`);
  const text = await reply.text();
  const judge = (changed: string) => check(path, 200, JSON.parse(changed));
  assert.is(judge(text), undefined);
  assert.match(judge(text.replace('"retweeted"', '"retweeted2"')) ?? "", /retweeted/);
  assert.match(judge(text.replace(/"retweet_count":"(\d+)"/, '"retweet_count":$1')) ?? "", /string/);
  assert.match(judge(text.replace(/"id":(\d+)/, '"id":"$1"')) ?? "", /integer/);
  assert.match(judge(text.replace('"user":', '"person":')) ?? "", /user/);
});

Live.run();

function lookups(): Ask[] {
  const byName = names.flatMap((name, i): Ask[] => {
    const pair = [name, names[(i + 1) % names.length]].join(",");
    return [
      ["/social/{ScreenNames}", `/social/${name}`],
      ["/social/{ScreenNames}", `/social/${pair}`],
      ["/social/{ScreenNames}", `/social/${name.toUpperCase()},unknown`],
      ["/json/reply/SocialUsers", `/json/reply/SocialUsers?screenNames=${pair}`],
      ["/json/reply/SocialUsers", "/json/reply/SocialUsers", { screenNames: [name] }],
      ["/api/SocialUsers", "/api/SocialUsers", { screenNames: pair }],
      ["/api/SocialUsers[]", "/api/SocialUsers[]", [{ screenNames: [name] }, {}]],
    ];
  });
  const byId = Array.from(
    { length: times(10, 50) },
    (_, i): Ask => ["/social/ids/{UserIds}", `/social/ids/${i},${i * 7}`],
  );
  return [...byName, ...byId];
}

function timelines(): Ask[] {
  const path = "/social/{ScreenName}/timelines";
  // From before the first status to after the last.
  const steps = times(2, 20);
  const ids = Array.from({ length: steps }, (_, i) => `${i * (1_000_000_000_000_000 / steps)}`);
  return names.flatMap((name, i) => [
    ...Array.from({ length: maxTake }, (_, take): Ask => [path, `/social/${name}/timelines?take=${take + 1}`]),
    ...ids.map((id): Ask => [path, `/social/${name}/timelines?take=5&sinceId=${id}`]),
    ...ids.map((id): Ask => [path, `/social/${name}/timelines?take=5&maxId=${id}`]),
    ["/json/reply/SocialTimelines", "/json/reply/SocialTimelines", { screenName: name, take: 20 + i }],
    ["/api/SocialTimelines[]", "/api/SocialTimelines[]", [{ screenName: name, take: 2 }]],
  ]);
}

function registrations(): Ask[] {
  return Array.from({ length: times(12, 60) }, (_, i) => {
    const form = { userName: `newcomer${i}`, displayName: `N ${i}`, password: "correct horse", autoLogin: i % 2 === 0 };
    return ["/register", "/register", i % 3 === 0 ? { ...form, continue: "/home" } : form];
  });
}

function refusals(): Ask[] {
  const registration = ["", "a b", "ids", "x".repeat(40)].flatMap((userName) =>
    ["", "short"].map((password): Ask => ["/register", "/register", { userName, password, email: "no mail" }]),
  );
  return Array.from({ length: times(6, 30) }, (_, i): Ask[] => [
    ...registration,
    ["/social/{ScreenName}/timelines", `/social/unknown${i}/timelines`],
    ["/social/{ScreenName}/timelines", `/social/${names[0]}/timelines?take=${-i}&callback=1x`],
    ["/social/{ScreenName}/timelines", `/social/${names[0]}/timelines?take=${-i}`],
    ["/social/{ScreenName}/timelines", `/social/${names[0]}/timelines?sinceId=x${i}`],
    ["/social/ids/{UserIds}", `/social/ids/a${i}`],
    ["/json/reply/SocialUsers", "/json/reply/SocialUsers", [i]],
    ["/json/reply/SocialUsers", "/json/reply/SocialUsers", { userIds: [{}] }],
  ]).flat();
}

async function signIn(): Promise<string> {
  const body = JSON.stringify({ userName: "viewer", password: "correct horse", autoLogin: true });
  const response = await fetch(`${system.url}/register`, { method: "POST", body });
  return ((await response.json()) as { sessionId: string }).sessionId;
}
