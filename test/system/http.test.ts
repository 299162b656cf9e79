import { suite } from "uvu";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

const Http = suite("http");
let system: TestSystem;

Http.before(async () => {
  system = await startTestSystem();
});
Http.after(() => system.stop());

const send = (path: string, init?: RequestInit) => fetch(`${system.url}${path}`, init);

async function register(userName: string) {
  const response = await send("/register", {
    method: "POST",
    body: JSON.stringify({ userName, password: "correct horse" }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

Http("registers, looks up and reads in a row", async () => {
  for (let index = 0; index < 50; index++) {
    const { status, body } = await register(`row${index}`);
    assert.is(status, 200);
    const users = (await (await send(`/social/ROW${index}`)).json()) as {
      results: { id: string; screen_name: string }[];
    };
    assert.equal(
      users.results.map(({ id, screen_name }) => ({ id, screen_name })),
      [{ id: body.userId, screen_name: `row${index}` }],
    );
    const timeline = await send(`/social/row${index}/timelines`);
    assert.equal([timeline.status, await timeline.text()], [200, '{"results":[]}']);
  }
});

Http("lets one of 1,000 concurrent registrations of a name in mixed case win, and none is a defect", async () => {
  const spelling = (index: number) =>
    [..."contested"].map((c, bit) => (index & (1 << bit) ? c.toUpperCase() : c)).join("");
  const replies = await Promise.all(Array.from({ length: 1_000 }, (_, index) => register(spelling(index))));
  const count = (key: string) => replies.filter(({ status, body }) => `${status} ${errorCode(body)}` === key).length;
  const taken = count("400 AlreadyExists");
  assert.ok(taken > 0);
  const refused = count("429 TooManyRequests") + count("503 ServiceUnavailable");
  assert.equal([count("200 undefined"), taken + refused], [1, 999]);
});

Http("answers bad input in the shape of the contract, and changes nothing by it", async () => {
  const before = await rows();
  const json = (body: string) => ({ method: "POST", body });
  const cases: [path: string, init: RequestInit | undefined, status: number, code: string][] = [
    ["/register", json('{"userName":'), 400, "SerializationException"],
    ["/register", json("[1,2]"), 400, "SerializationException"],
    ["/register", json('{"userName":{"a":1},"password":"correct horse"}'), 400, "SerializationException"],
    [
      "/register",
      json('{"userName":"x","password":"correct horse","autoLogin":"perhaps"}'),
      400,
      "SerializationException",
    ],
    ["/register", json('{"userName":"a\\u0000b","password":"correct horse"}'), 400, "SerializationException"],
    ["/register", json("{}"), 400, "NotEmpty"],
    ["/register", json('{"userName":"<script>","password":"correct horse"}'), 400, "RegularExpression"],
    ["/register?callback=alert(1)", json('{"userName":"fine","password":"correct horse"}'), 400, "InvalidCallback"],
    ["/register?callback=%3Cscript%3E", json('{"userName":"fine","password":"correct horse"}'), 400, "InvalidCallback"],
    ["/register", json(`{"userName":"big","password":"${"x".repeat(1_100_000)}"}`), 413, "RequestTooLarge"],
    ["/social/unknown/timelines", undefined, 404, "NotFound"],
    ["/social/row1/timelines?take=0", undefined, 400, "InclusiveBetween"],
    ["/social/row1/timelines?take=many", undefined, 400, "SerializationException"],
    ["/social/row1/timelines?sinceId=01", undefined, 400, "SerializationException"],
    ["/social/ids/one", undefined, 400, "SerializationException"],
    ["/social/%ff", undefined, 400, "SerializationException"],
    ["/nowhere", undefined, 404, "NotFound"],
    ["/json/reply/Nothing", json("{}"), 405, "NotImplementedException"],
  ];
  for (const [path, init, status, code] of cases) {
    const response = await send(path, init);
    const body = (await response.json()) as Record<string, unknown>;
    assert.equal([response.status, errorCode(body)], [status, code], path);
    assert.equal(Object.keys(body), ["responseStatus"]);
    assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
  }
  assert.equal(await rows(), before);
});

Http("serves a registration while the social service is down, and its profile once that is back", async () => {
  await system.stopSocial();
  const { status } = await register("patient");
  assert.is(status, 200);
  const lookup = await send("/social/patient");
  assert.equal(
    [lookup.status, errorCode((await lookup.json()) as Record<string, unknown>)],
    [503, "ServiceUnavailable"],
  );
  assert.ok(Number(lookup.headers.get("retry-after")) > 0);
  await system.startSocial();
  await eventually("the profile", async () => {
    const { results } = (await (await send("/social/patient")).json()) as { results?: unknown[] };
    return results?.length === 1;
  });
});

Http.run();

function errorCode(body: Record<string, unknown>): unknown {
  return (body.responseStatus as { errorCode?: string } | undefined)?.errorCode;
}

async function rows(): Promise<unknown> {
  return system.database.query(`
    select (select md5(string_agg(row::text, '|' order by user_id)) from account.account as row) as accounts,
           (select md5(string_agg(row::text, '|' order by id_hash)) from account.session as row) as sessions,
           (select md5(string_agg(row::text, '|' order by user_id)) from social.profile as row) as profiles`);
}
