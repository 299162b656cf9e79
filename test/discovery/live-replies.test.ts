import * as assert from "uvu/assert";
import { importSample, readSample } from "../../services/local/load-sample.ts";
import { isLong } from "../support/long.ts";
import { registerSignedIn } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";
import { type CheckReply, createReplyCheck, type OpenApi } from "./open-api.ts";

// test/people compares the replies of all operations with the document while users act at random.
const Live = suite("discovery: live replies");
const system = useSystem(Live);

const { users } = readSample();
/** Of every user; in the short form of every second one. */
const names = users.map((user) => String(user.screen_name)).filter((_, index) => isLong || index % 2 === 0);

let check: CheckReply;

Live.before(async () => {
  await importSample({ ...system, serviceTokens: [] }, (refusal) => assert.unreachable(refusal));
  check = createReplyCheck((await (await fetch(`${system.url}/openapi.json`)).json()) as OpenApi);
});

const timeline = "/social/{ScreenName}/timelines";
const lookup = "/json/reply/SocialUsers";
const form = { password: "correct horse", autoLogin: true };

/** Requests to a path of the document, and the status of their replies. */
type Ask = [template: string, target: string, status: number, body?: unknown];
let newcomers = 0;
const asks = (): Ask[] => [
  ...names.flatMap((name): Ask[] => [
    ["/social/{ScreenNames}", `/social/${name.toUpperCase()},${names[0]},unknown`, 200],
    [lookup, lookup, 200, { screenNames: [name] }],
    ["/api/SocialUsers[]", "/api/SocialUsers[]", 200, [{ screenNames: name }, {}]],
    [timeline, `/social/${name}/timelines?take=200`, 200],
    ["/api/SocialTimelines[]", "/api/SocialTimelines[]", 200, [{ screenName: name, take: 2 }]],
  ]),
  ["/social/ids/{UserIds}", "/social/ids/1,7", 200],
  ["/register", "/register", 200, { ...form, userName: `newcomer${newcomers++}` }],
  ["/register", "/register", 200, { ...form, userName: `newcomer${newcomers++}`, continue: "/home" }],
  ["/register", "/register", 400, { userName: "a b", password: "", email: "no mail" }],
  [timeline, "/social/unknown/timelines", 404],
  [timeline, `/social/${names[0]}/timelines?take=0`, 400],
  [timeline, `/social/${names[0]}/timelines?take=0&callback=1x`, 400],
  ["/social/ids/{UserIds}", "/social/ids/a", 400],
  [lookup, lookup, 400, [1]],
  [lookup, lookup, 400, { userIds: [{}] }],
];

Live("match the document's schemas: users, timelines, registrations and errors", async () => {
  const { sessionId } = await registerSignedIn(system, "viewer");
  for (const headers of [{}, { authorization: `Bearer ${sessionId}` }] as Record<string, string>[]) {
    for (const [template, target, status, body] of asks()) {
      const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
      const response = await fetch(`${system.url}${target}`, init);
      assert.is(response.status, status, target);
      assert.is(check(template, status, await response.json()), undefined, target);
    }
  }
});

Live("with an unknown field, a missing one or a wrong type do not match", async () => {
  const reply = await fetch(`${system.url}/social/${names[0]}/timelines?take=1`);
  const text = await reply.text();
  const judge = (changed: string) => check(timeline, 200, JSON.parse(changed));
  assert.is(judge(text), undefined);
  assert.match(judge(text.replace('"retweeted"', '"retweeted2"')) ?? "", /retweeted/);
  assert.match(judge(text.replace(/"retweet_count":"(\d+)"/, '"retweet_count":$1')) ?? "", /string/);
  assert.match(judge(text.replace(/"id":(\d+)/, '"id":"$1"')) ?? "", /integer/);
  assert.match(judge(text.replace('"user":', '"person":')) ?? "", /user/);
});

Live.run();
