import * as assert from "uvu/assert";
import { isLong, times } from "../support/long.ts";
import { suite } from "../support/suite.ts";
import { type Asked, type FakeGateway, startFakeGateway } from "./fake-gateway.ts";
import { originHeaders, requestOrigins, withBody } from "./request-origins.ts";

const Foreign = suite("requests of other sites with the user's cookie");
let gateway: FakeGateway;
let attacks = 0;

Foreign.before(async () => {
  gateway = await startFakeGateway({ corsOrigins: ["https://app.example"] });
  gateway.answers.getSession = ({ sessionId }) => (sessionId === "good" ? { userId: 77n } : {});
  gateway.answers.people.authenticate = (_request, { responseHeader }) => {
    responseHeader.set("roost-session", "made; max-age=60");
    return {};
  };
});
Foreign.after(() => gateway.stop());

type Fields = Record<string, string>;

/** Operations on which a request of another site must have no effect, with their fields. */
const operations: [name: string, path: string, fields: Fields][] = [
  ["Authenticate", "/auth/credentials", { userName: "mallory", password: "correct horse" }],
  ["Authenticate", "/auth/logout", {}],
  ["ChangePassword", "/auth/password", { oldPassword: "correct horse", newPassword: "battery staple" }],
  ["DeleteAccount", "/profile/delete", { password: "correct horse" }],
  // An empty text clears its field, so this is a write.
  ["UpdateProfile", "/profile", { location: "", url: " " }],
];

/** The forms in which a page can send fields. */
const forms: Record<string, (fields: Fields) => Pick<Asked, "headers" | "body"> & { query?: string }> = {
  JSON: (fields) => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(fields) }),
  "JSON as text/plain": (fields) => ({ headers: { "content-type": "text/plain" }, body: JSON.stringify(fields) }),
  "a form": (fields) => ({
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  }),
  "a multipart form": (fields) => ({
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: `${Object.entries(fields)
      .map(([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join("")}--b--\r\n`,
  }),
  "a query": (fields) => ({ query: `?${new URLSearchParams(fields)}` }),
};

/** Credentials, and whether they have an effect: "cookie" depends on the origin, since a browser adds the cookie itself. */
const credentials: [name: string, headers: Asked["headers"], effect: "never" | "always" | "cookie"][] = [
  ["nothing", {}, "never"],
  ["the cookie", { cookie: "ss-id=good" }, "cookie"],
  ["the cookie with an unknown Bearer", { cookie: "ss-id=good", authorization: "Bearer bad" }, "never"],
  ["a Bearer", { authorization: "Bearer good" }, "always"],
];

/** Whether a request acted for the session's user, and whether it set a cookie. */
async function effectOf(name: string, asked: Asked): Promise<[acts: boolean, sets: boolean]> {
  gateway.calls.length = 0;
  const { status, headers } = await gateway.send(asked);
  const [call] = gateway.calls;
  const acts = name === "Authenticate" ? call?.request.sessionId === "good" : call !== undefined;
  if (name !== "Authenticate") assert.is(status, acts ? 200 : 401);
  return [acts, headers["set-cookie"] !== undefined];
}

const verbs = ["GET", "HEAD", "PROPFIND", "POST", "PUT", "DELETE"];

for (const [number, row] of requestOrigins.entries()) {
  const [origin, fetchSite, , writesWithBody, writesWithout] = row;
  Foreign(
    `have no effect unless trusted: Origin ${origin ?? "absent"}, Sec-Fetch-Site ${fetchSite ?? "absent"}`,
    async () => {
      let index = number;
      for (const method of verbs) {
        const counts = withBody.includes(method) ? writesWithBody : writesWithout;
        for (const [name, path, fields] of operations) {
          for (const [form, shape] of Object.entries(forms)) {
            for (const [credential, presented, effect] of credentials) {
              // Only the effect of the cookie depends on the form.
              if (effect !== "cookie" && form !== "JSON") continue;
              // Every fifth one for each origin, others for the next; all in the long form.
              if (index++ % 5 !== 0 && !isLong) continue;
              const { headers, body, query = "" } = shape(fields);
              const all = { ...headers, ...originHeaders(row, gateway.url), ...presented };
              const asked = { method, path: path + query, headers: all, ...(body !== undefined && { body }) };
              const wanted = effect === "always" || (effect === "cookie" && counts);
              const what = `${name} by ${method} as ${form} with ${credential}`;
              const [acts, sets] = await effectOf(name, asked);
              assert.is(acts, wanted, what);
              assert.is(sets, name === "Authenticate" && counts, `${what} sets a cookie`);
              if (!counts && effect !== "always") attacks++;
            }
          }
        }
      }
    },
  );
}

Foreign("were tried several hundred times", () => {
  assert.ok(attacks > times(400, 1_600), `${attacks}`);
});

Foreign("have no effect in a batch, by oneway or by JSONP", async () => {
  const cookie = "ss-id=good";
  const foreign = { cookie, origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  for (const [name, , fields] of operations) {
    const request = { method: "POST", headers: foreign };
    const provider = name === "Authenticate" ? { provider: "logout" } : {};
    const body = JSON.stringify({ ...fields, ...provider });
    for (const asked of [
      { ...request, path: `/json/reply/${name}[]`, body: `[${body}]` },
      { ...request, path: `/json/oneway/${name}`, body },
      { ...request, path: `/api/${name}`, body },
      {
        ...request,
        path: `/json/reply/${name}?callback=f`,
        body,
        headers: { cookie, "sec-fetch-site": "same-origin" },
      },
    ]) {
      gateway.calls.length = 0;
      const { headers } = await gateway.send(asked);
      assert.is(gateway.calls.filter(({ request }) => request.sessionId === "good").length, 0, asked.path);
      assert.is(gateway.calls.filter(({ header }) => header.has("roost-viewer")).length, 0, asked.path);
      assert.is(headers["set-cookie"], undefined, asked.path);
    }
  }
});

Foreign.run();
