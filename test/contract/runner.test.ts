import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { listen, stopListening } from "../support/listen.ts";
import { suite } from "../support/suite.ts";
import { parseCaseFile } from "./case-files.ts";
import { runTopic } from "./run-topic.ts";

const Runner = suite("contract runner");
let server: Server;
let base: URL;
let answers: string[] = [];
let requests: string[] = [];

Runner.before(async () => {
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (bytes) => {
      requests.push(bytes.toString());
      socket.end((answers.length > 1 ? answers.shift() : answers[0]) ?? "");
    });
  });
  base = new URL(`http://127.0.0.1:${await listen(server)}`);
});
Runner.before.each(() => {
  requests = [];
});
Runner.after(() => stopListening(server));

function answer(body: string, { status = 200, headers = "", length = Buffer.byteLength(body) } = {}): string {
  return `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\n${headers}Content-Length: ${length}\r\n\r\n${body}`;
}

/** The failure of each case of a file, if any, when the fake server sends these replies, the last one repeatedly. */
async function failures(file: string, ...given: string[]): Promise<(string | undefined)[]> {
  answers = given;
  const results = await runTopic(base, { section: "0 runner", name: "fake", ...parseCaseFile(file) });
  return results.map(({ failure }) => failure);
}

const golden =
  '=== a\n>>> GET /a\n<<< 200\ncontent-type: application/json\nx-none: {{absent}}\n\n{"a":1,"b":"{{id}}"}\n';

const wrongReplies: [what: string, reply: string, message: RegExp][] = [
  ["another status", answer('{"a":1,"b":"7"}', { status: 201 }), /status\n +expected 200\n +received 201/],
  ["another body", answer('{"a":2,"b":"7"}'), /body, from character 5 on\n +expected .*\n +received \{"a":2/],
  ["another order of keys", answer('{"b":"7","a":1}'), /body, from character 2 on/],
  ["white space", answer('{"a":1, "b":"7"}'), /body, from character 7 on/],
  ["a value that does not fit its placeholder", answer('{"a":1,"b":"x"}'), /body, from character 12 on/],
  ["an id above 2^53-1", answer('{"a":1,"b":"9007199254740992"}'), /body, from/],
  ["a missing key", answer('{"a":1}'), /body, from character 6 on/],
  ["more after the body's end", answer('{"a":1,"b":"7"}\n'), /body, from character 15 on/],
  ["bytes after the announced length", answer('{"a":1,"b":"7"}xx', { length: 15 }), /15 bytes was announced, 17 came/],
  ["a body that is cut off", answer('{"a":1', { length: 15 }), /15 bytes was announced, 6 came/],
  ["no body", answer(""), /body, from character 0 on/],
  ["a header that should be absent", answer('{"a":1,"b":"7"}', { headers: "X-None: 1\r\n" }), /header x-none/],
  [
    "another header",
    answer('{"a":1,"b":"7"}').replace("application/json", "text/html"),
    /header content-type, from character 0 on/,
  ],
  [
    "a missing header",
    answer('{"a":1,"b":"7"}').replace("Content-Type", "X"),
    /header content-type\n.*\n +received none/,
  ],
  ["bytes that are no reply", "hello", /no reply/],
  ["nothing", "", /ended without a reply/],
];
for (const [what, reply, message] of wrongReplies) {
  Runner(`fails ${what}, with a message`, async () => {
    const [failure] = await failures(golden, reply);
    assert.match(failure ?? "it passed", message);
  });
}

const head = "=== a\n>>> HEAD /a\n<<< 200\n";
const several = "=== a\n>>> GET /a\n<<< 200 or 204\n\n{{any}}\n";
const capture = '=== a\n>>> GET /a\n<<< 200\n\n{"id":"{{id as user}}"}\n';
const without = `${capture}>>> GET /a\n<<< 200\n\n{{without by user}}\n`;
const again = `${capture}>>> GET /{{user}}\n<<< 200\n\n{"again":"{{user}}"}\n`;
const captured = answer('{"id":"12"}');
const steps: [what: string, file: string, replies: string[], failure?: RegExp][] = [
  ["passes a reply that matches the case", golden, [answer('{"a":1,"b":"7"}')]],
  ["fails a body under HEAD", head, [answer("{}")], /body/],
  ["passes a length without a body under HEAD", head, [answer("", { length: 99 })]],
  ["accepts each of several statuses", several, [answer("", { status: 204 })]],
  ["fails a status that is none of several", several, [answer("", { status: 404 })], /expected 200 or 204/],
  ["passes a body without a captured text that the case forbids", without, [captured, answer('{"a":"by 13"}')]],
  ["fails a body with it", without, [captured, answer('{"a":"by 12"}')], /without by 12/],
  ["fills captures into later replies", again, [captured, answer('{"again":"12"}')]],
  [
    "fails another text than was captured",
    again,
    [captured, answer('{"again":"13"}')],
    /line 6, GET \/\{\{user\}\}\nbody, from character 11 on\n +expected \{"again":"12"\}/,
  ],
];
for (const [what, file, replies, message] of steps) {
  Runner(what, async () => {
    const [failure] = await failures(file, ...replies);
    if (message === undefined) assert.is(failure, undefined);
    else assert.match(failure ?? "it passed", message);
  });
}

Runner("fills captures into later requests", async () => {
  await failures(again, captured, answer('{"again":"12"}'));
  assert.match(requests[1] ?? "", /^GET \/12 HTTP/);
});

Runner("fails a case with an unknown placeholder", async () => {
  const request = ["/{{unset}}", "/{{id}}"].map((target) => `${target}\n<<< 200\n\n{}`);
  const reply = ["{{unset}}", "{{id as}}", "{{text as id}}"].map((body) => `/a\n<<< 200\n\n${body}`);
  for (const rest of [...request, ...reply]) {
    const [failure] = await failures(`=== a\n>>> GET ${rest}\n`, answer("{}"));
    assert.match(failure ?? "it passed", /unknown placeholder|is only for replies|is a reserved name/);
  }
});

Runner("fails every case of a file when a shared step fails", async () => {
  const file = ">>> GET /shared\n<<< 200\n=== a\n>>> GET /a\n<<< 404\n=== b\n>>> GET /b\n<<< 404\n";
  const failed = await failures(file, answer("", { status: 404 }));
  assert.is(failed.length, 2);
  for (const failure of failed) assert.match(failure ?? "it passed", /line 1, GET \/shared/);
});

Runner("makes a case of each row of a table, and runs cases with @open", async () => {
  const table = "=== {{verb}}\n@each verb status\n| GET | 200\n| PUT | 404\n>>> {{verb}} /a\n<<< {{status}}\n";
  const results = await failures(`${table}=== b\n@open not yet\n>>> GET /b\n<<< 200\n`, answer(""));
  assert.equal([results[0], results[2]], [undefined, undefined]);
  assert.match(results[1] ?? "it passed", /expected 404/);
  const verbs = requests.map((request) => request.split(" ", 1)[0]);
  assert.equal(verbs, ["GET", "PUT", "GET"]);
});

Runner("sends exactly the bytes of a case", async () => {
  await failures("=== a\n>>> POST /a\nHost: {{absent}}\nX: y\n\n{{repeat 2 {},}}{{hex 00 41}}é\n<<< 200\n", answer(""));
  assert.is(requests[0], "POST /a HTTP/1.1\r\nConnection: close\r\nContent-Length: 10\r\nX: y\r\n\r\n{},{},\0Aé");
  await failures("=== a\n>>> RAW\nhello\n\n<<< 200\n", answer(""));
  assert.is(requests[1], "hello\r\n\r\n");
});

Runner("puts the path of the base URL before targets", async () => {
  answers = [answer("")];
  const topic = { section: "0 runner", name: "fake", ...parseCaseFile("=== a\n>>> GET /a?b\n<<< 200\n") };
  await runTopic(new URL("/deep/down/", base), topic);
  assert.match(requests[0] ?? "", /^GET \/deep\/down\/a\?b HTTP/);
});

for (const [what, file] of [
  ["a request without a reply", "=== a\n>>> GET /a\n"],
  ["an invalid status", "=== a\n>>> GET /a\n<<< fine\n"],
  ["a header without a colon", "=== a\n>>> GET /a\nnonsense\n<<< 200\n"],
  ["a meaningless line", "=== a\nnonsense\n>>> GET /a\n<<< 200\n"],
  ["a row that is too short", "=== a\n@each b c\n| 1\n>>> GET /a\n<<< 200\n"],
  ["a column named like a placeholder", "=== a\n@each id\n| 1\n>>> GET /a\n<<< 200\n"],
  ["a case without a step", "=== a\n"],
  ["a table without rows", "=== a\n@each b\n>>> GET /a\n<<< 200\n"],
] as const) {
  Runner(`refuses a file with ${what}, and names the line`, () => {
    assert.throws(() => parseCaseFile(file), /^line \d+: /);
  });
}

async function runByHand(...args: string[]) {
  const main = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, "main.ts"), ...args]);
  let output = "";
  main.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(main, "close")) as [number];
  return { code, output };
}

Runner("prints the count at the end when it is run by hand, with exit code 1 when a case failed", async () => {
  answers = [answer("{}")];
  const { code, output } = await runByHand(base.href);
  assert.is(code, 1);
  assert.match(output, /\n§\d+ [a-z ]+: \d+ passed, \d+ failed\n\d+ passed, [1-9]\d* failed\n$/);
});

Runner("exits with code 2 without a URL", async () => {
  assert.is((await runByHand()).code, 2);
});

Runner.run();
