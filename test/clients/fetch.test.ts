import axios, { AxiosError } from "axios";
import * as assert from "uvu/assert";
import { password } from "../support/people.ts";
import { useSharedSystem } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import type { TestSystem } from "../support/system.ts";

const Clients = suite("axios and fetch");
let system: TestSystem;

useSharedSystem(Clients, (shared) => (system = shared));

interface Users {
  results: { screen_name: string }[];
}

Clients("axios posts JSON, forms and multipart", async () => {
  const client = axios.create({ baseURL: system.url });
  await client.post("/register", { userName: "axios1", password });
  await client.postForm("/register", { userName: "axios2", password });
  await client.post("/register", new URLSearchParams({ userName: "axios3", password }));
  const { data } = await client.get<Users>("/social/axios1,axios2,axios3");
  assert.equal(
    data.results.map((user) => user.screen_name),
    ["axios1", "axios2", "axios3"],
  );
});

Clients("axios sends lists in each of its forms, and reads errors", async () => {
  const asked = { screenNames: ["axios2", "axios1"] };
  const url = `${system.url}/api/SocialUsers`;
  // Names with [] by default, as they are with null, with indexes with true.
  for (const indexes of [undefined, false, null, true]) {
    const forms = [
      await axios.get<Users>(url, { params: asked, paramsSerializer: { indexes } }),
      await axios.postForm<Users>(url, asked, { formSerializer: { indexes } }),
      await axios.post<Users>(url, asked, {
        headers: { "content-type": "application/x-www-form-urlencoded" },
        formSerializer: { indexes },
      }),
    ];
    for (const { data } of forms) {
      const names = data.results.map((user) => user.screen_name);
      assert.equal(names, asked.screenNames, `${indexes}`);
    }
  }
  const error = await axios.get(`${system.url}/social/unknown/timelines`).catch((reason: unknown) => reason);
  assert.instance(error, AxiosError);
  const { status, data: body } = (error as AxiosError<{ responseStatus: { errorCode: string } }>).response ?? {};
  assert.equal([status, body?.responseStatus.errorCode], [404, "NotFound"]);
});

Clients("fetch posts FormData and URLSearchParams, and gets 304 for a known entity tag", async () => {
  const form = new FormData();
  form.set("userName", "fetch1");
  form.set("password", password);
  assert.is((await fetch(`${system.url}/register`, { method: "POST", body: form })).status, 200);
  const body = new URLSearchParams({ userName: "fetch2", password });
  assert.is((await fetch(`${system.url}/register`, { method: "POST", body })).status, 200);
  const first = await fetch(`${system.url}/social/fetch1,fetch2`);
  assert.is(((await first.json()) as Users).results.length, 2);
  const again = await fetch(first.url, { headers: { "if-none-match": first.headers.get("etag") as string } });
  assert.equal([again.status, await again.text()], [304, ""]);
});

Clients.run();
