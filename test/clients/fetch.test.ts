import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import axios, { AxiosError } from "axios";
import * as assert from "uvu/assert";
import { password, valuesOf } from "../support/people.ts";
import { useSharedSystem } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";

const Clients = suite("axios and fetch");

const system = useSharedSystem(Clients);

interface Users {
  results: { screen_name: string }[];
}

Clients("axios posts JSON, forms and multipart", async () => {
  const client = axios.create({ baseURL: system.url });
  await client.post("/register", { userName: "axios1", password });
  await client.postForm("/register", { userName: "axios2", password });
  await client.post("/register", new URLSearchParams({ userName: "axios3", password }));
  const { data } = await client.get<Users>("/social/axios1,axios2,axios3");
  assert.equal(valuesOf(data.results, "screen_name"), ["axios1", "axios2", "axios3"]);
});

Clients("axios sends lists in each of its forms, and reads errors", async () => {
  const asked = { screenNames: ["axios2", "axios1"] };
  const url = `${system.url}/api/SocialUsers`;
  const urlencoded = "application/x-www-form-urlencoded";
  // Names with [] by default, as they are with null, with indexes with true.
  for (const indexes of [undefined, false, null, true]) {
    const forms = [
      await axios.get<Users>(url, { params: asked, paramsSerializer: { indexes } }),
      await axios.postForm<Users>(url, asked, { formSerializer: { indexes } }),
      await axios.post<Users>(url, asked, { headers: { "content-type": urlencoded }, formSerializer: { indexes } }),
    ];
    for (const { data } of forms) assert.equal(valuesOf(data.results, "screen_name"), asked.screenNames, `${indexes}`);
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

// Clients in @grpc/grpc-js are in test/system and test/platform.
const Languages = suite("clients in other languages");
const run = promisify(execFile);
useSharedSystem(Languages);

/** Whether a program runs here with what the client needs. Says so loudly where it does not. */
async function has(program: string, ...check: string[]): Promise<boolean> {
  const runs = await run(program, check).then(
    () => true,
    () => false,
  );
  if (!runs)
    console.warn(`\n!!! SKIPPED: ${program} ${check.join(" ")} fails here; clients in it are not tested !!!\n`);
  return runs;
}

/** What a client of languages/ prints. */
async function printed(program: string, file: string, ...parameters: string[]): Promise<string> {
  const { stdout } = await run(program, [join(import.meta.dirname, "languages", file), ...parameters], {
    timeout: 120_000,
  });
  return stdout;
}

// Debian's own Python has Debian's grpcio.
const python = "/usr/bin/python3";
const testIf = (isThere: boolean) => (isThere ? Languages : Languages.skip);

testIf(await has(python, "-c", "import grpc, google.protobuf"))("in Python, by gRPC", async () => {
  const folder = mkdtempSync(join(tmpdir(), "roost-descriptors-"));
  try {
    const descriptors = join(folder, "all.binpb");
    await run(join(import.meta.dirname, "../../node_modules/.bin/buf"), ["build", "-o", descriptors]);
    const targets = [system.accountUrl, system.socialUrl].map((url) => new URL(url).host);
    assert.equal(JSON.parse(await printed(python, "client.py", descriptors, ...targets)), {
      same: true,
      text: "From Python: ünï ✓",
      refusal: ["ALREADY_EXISTS", "UserName already exists"],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

testIf(await has("php", "-r", "curl_init() || exit(1);"))("in PHP, with lists and a session in a cookie", async () => {
  const names = ["php2", "php1"];
  const expected = { query: names, form: names, nested: names, sessions: 1 };
  assert.equal(JSON.parse(await printed("php", "client.php", system.url)), expected);
});

testIf(await has("java", "-version"))("in Java, with a session in a cookie", async () => {
  const [made, sessions] = (await printed("java", "Client.java", system.url)).trim().split("\n");
  assert.match(made ?? "", /^200 \{"userId":/);
  assert.match(sessions ?? "", /^200 .*"current":true/);
});

Languages.run();
