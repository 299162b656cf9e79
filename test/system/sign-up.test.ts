import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

const SignUp = suite("sign-up by HTTP");
let system: TestSystem;

SignUp.before(async () => {
  system = await startTestSystem({ SIGN_UP: "invite" });
});
SignUp.after(() => system.stop());

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(system.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

const form = (userName: string) => ({ userName, password: "correct horse" });
const refusal = (message: string) => `{"responseStatus":{"errorCode":"Forbidden","message":"${message}"}}`;
const needed = "Registration needs a valid invitation.";

SignUp("reads an invitation from the header X-Invitation, on every route", async () => {
  const { invitation } = await system.clients.operator.makeInvitation({ uses: 4, maxAge: 60 });
  const invited = { "x-invitation": invitation };
  assert.equal(await post("/register", form("ann")), { status: 403, text: refusal(needed) });
  assert.is((await post("/register", form("ann"), invited)).status, 200);
  assert.is((await post("/json/reply/Registration", form("bob"), invited)).status, 200);
  assert.is((await post("/api/Registration[]", [form("cid"), form("dan")], invited)).status, 200);
  assert.equal(await post("/register", form("eve"), invited), { status: 403, text: refusal(needed) });
  const long = { "x-invitation": "x".repeat(40_000) };
  assert.equal(await post("/register", form("eve"), long), { status: 403, text: refusal(needed) });
});

SignUp("ignores an invitation in the query or the body", async () => {
  const { invitation } = await system.clients.operator.makeInvitation({ uses: 1, maxAge: 60 });
  const { status } = await post(`/register?x-invitation=${invitation}&invitation=${invitation}`, {
    ...form("fay"),
    invitation,
    "x-invitation": invitation,
  });
  assert.is(status, 403);
});

SignUp("wraps the refusal with a callback", async () => {
  const { status, text } = await post("/register?callback=show", form("gus"));
  assert.equal([status, text], [200, `show(${refusal(needed)})`]);
});

SignUp.run();
