import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { useSharedSystem } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";

const Differences = suite("docs: JSON of the services and of the gateway");
const system = useSharedSystem(Differences);

const page = readFileSync(join(import.meta.dirname, "../../docs/internal-api.md"), "utf8");
const rows = [...page.matchAll(/^\| `(\{".*?\})`(.*?) \| (\w+).*? \| (\w+).*? \|$/gm)];

Differences("are listed", () => {
  assert.ok(rows.length >= 9);
});

for (const [, request = "", more = "", service, gateway] of rows) {
  // Further values of the row's field, and further requests.
  const values = [...more.matchAll(/`("[^`]*")`/g)].map(([, value = ""]) => request.replace(/:.*/, `:${value}}`));
  const others = [...more.matchAll(/`(\{[^`]*\})`/g)].map(([, other = ""]) => other);
  for (const given of [request, ...values, ...others]) {
    Differences(`are as listed: ${given}`, async () => {
      assert.equal(await refusals(given), [service === "refuses", gateway === "refuses"]);
    });
  }
}

Differences("do not concern a plain number, a quoted one and one with an empty fraction", async () => {
  for (const value of ["1", '"1"', "1.0"]) assert.equal(await refusals(`{"take":${value}}`), [false, false], value);
});

/** Whether a service, and the gateway, cannot read a request. What they can read has no user, or breaks a rule. */
async function refusals(request: string): Promise<[service: boolean, gateway: boolean]> {
  const [path, name] = operationOf(request);
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: request };
  const url = path.startsWith("account") ? system.accountUrl : system.socialUrl;
  const ofService = (await (await fetch(`${url}/${path}`, init)).json()) as { code?: string; details?: unknown };
  const reply = await fetch(`${system.url}/json/reply/${name}`, init);
  const { responseStatus } = (await reply.json()) as { responseStatus?: { errorCode?: string } };
  // What the protocol refuses has no detail.
  const isUnread = ofService.code === "invalid_argument" && ofService.details === undefined;
  return [isUnread, responseStatus?.errorCode === "SerializationException"];
}

function operationOf(request: string): [path: string, name: string] {
  if (request.includes("userIds")) return ["social.v1.SocialService/SocialUsers", "SocialUsers"];
  if (/autoLogin|userName/.test(request)) return ["account.v1.AccountService/Registration", "Registration"];
  return ["social.v1.SocialService/SocialTimelines", "SocialTimelines"];
}

Differences.run();
