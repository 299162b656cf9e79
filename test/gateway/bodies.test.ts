import * as assert from "uvu/assert";
import { maxTextLength } from "../../gateway/http/limits/limits.ts";
import { suite } from "../support/suite.ts";
import { type Reply, useFakeGateway } from "./fake-gateway.ts";
import { exchangeRaw } from "./raw-socket.ts";

const Bodies = suite("gateway bodies");
const gateway = useFakeGateway(Bodies);

Bodies.before.each(() => {
  gateway.calls.length = 0;
});

const boundary = "----b";
const urlencoded = "application/x-www-form-urlencoded";
const path = "/json/reply/SocialTimelines";

Bodies("reads a length of zero, however it is written, as no body", async () => {
  for (const length of ["0", "00"]) {
    const head = `POST ${path}?screenName=ann HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
    const [reply] = await exchangeRaw(gateway.port, head);
    assert.is(reply?.status, 200, reply?.body);
  }
});

Bodies("reads the body of a GET whose target was answered without one, also in chunks", async () => {
  const target = "/social/ann/timelines";
  assert.is((await gateway.send({ path: target })).status, 200);
  for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
    gateway.calls.length = 0;
    await gateway.send({
      path: target,
      headers: { "content-type": "application/json", ...headers },
      body: '{"take":7}',
    });
    assert.equal(
      gateway.calls.map(({ request }) => request.take),
      [7n],
    );
  }
});

Bodies("reads multipart forms, and ignores files and parts without a name", async () => {
  const body = multipart(
    ['form-data; name="ScreenName"', "é,\u{1F426}"],
    ['form-data; name="take"; filename="take.txt"', "7"],
    ["form-data", "8"],
    ['form-data; name="sinceId"', "9"],
  );
  const reply = await gateway.send({ method: "POST", path, body, headers: { "content-type": multipartType() } });
  assert.is(reply.status, 200, reply.text);
  assert.equal(gateway.calls[0]?.request, { screenName: "é,\u{1F426}", sinceId: 9n });
});

Bodies("reads multipart forms with a preamble, folded headers, unquoted names and an epilogue", async () => {
  const body = [
    "a preamble",
    `--${boundary}  `,
    "content-type: text/plain; charset=iso-8859-1",
    'CONTENT-DISPOSITION: form-data;\r\n  Name = "screenName"',
    "",
    `--${boundary}x`,
    `--${boundary}`,
    "",
    "no headers at all",
    `--${boundary}`,
    "Content-Disposition: form-data; name=take",
    "",
    "7",
    `--${boundary}`,
    'Content-Disposition: form-data; name="sinceId"',
    "",
    "",
    `--${boundary}--`,
    "an epilogue",
  ].join("\r\n");
  const headers = { "content-type": `multipart/form-data; charset=utf-8; boundary="${boundary}"` };
  const reply = await gateway.send({ method: "POST", path, body: body.replace(`--${boundary}x`, "a"), headers });
  assert.is(reply.status, 200, reply.text);
  assert.equal(gateway.calls[0]?.request, { screenName: "a", take: 7n });
});

Bodies("reads a large field of a multipart form", async () => {
  const screenName = "é".repeat(200_000);
  const body = multipart(['form-data; name="screenName"', screenName]);
  await gateway.send({ method: "POST", path, body, headers: { "content-type": multipartType() } });
  assert.is(gateway.calls[0]?.request.screenName, screenName.slice(0, maxTextLength));
});

Bodies("keeps a byte order mark that begins a value of a form, and drops the one that begins the body", async () => {
  const value = "\ufeffa";
  const part = multipart(['form-data; name="screenName"', value]);
  const forms: [type: string, body: Buffer][] = [
    [multipartType(), part],
    [multipartType(), Buffer.concat([Buffer.from("\ufeff"), part])],
    [urlencoded, Buffer.from(`screenName=${value}`)],
    [urlencoded, Buffer.from(`\ufeffscreenName=${value}`)],
  ];
  for (const [type, body] of forms) {
    const reply = await gateway.send({ method: "POST", path, body, headers: { "content-type": type } });
    assert.is(reply.status, 200, reply.text);
    assert.is(gateway.calls.pop()?.request.screenName, value);
  }
});

Bodies("reads JSON that is declared as a multipart form", async () => {
  for (const type of [multipartType(), "multipart/form-data"]) {
    for (const start of ["", " \n\t\r", "\ufeff "]) {
      const headers = { "content-type": type };
      const reply = await gateway.send({ method: "POST", path, body: `${start}{"screenName":"a"}`, headers });
      assert.is(reply.status, 200, reply.text);
      assert.is(gateway.calls.pop()?.request.screenName, "a");
    }
  }
});

const part = ['form-data; name="screenName"', "a"] as const;
const brokenForms: [why: string, body: Buffer | string, type?: string][] = [
  ["has another boundary than its type", multipart(part), "multipart/form-data; boundary=other"],
  ["is not a multipart form", "screenName=a"],
  ["has a part without an end of its headers", "------b\r\nContent-Disposition: form-data; name=a\r\n------b--\r\n"],
  ["has a boundary of more than 70 characters", multipart(part), `multipart/form-data; boundary=${"-".repeat(71)}`],
];
for (const [why, body, type = multipartType()] of brokenForms) {
  Bodies(`refuses a multipart form that ${why}`, async () => {
    refused(
      await gateway.send({ method: "POST", path, body, headers: { "content-type": type } }),
      400,
      "SerializationException",
    );
  });
}

Bodies("refuses compressed bodies", async () => {
  const headers = { "content-encoding": "gzip" };
  refused(await gateway.send({ method: "POST", path, body: "{}", headers }), 400, "SerializationException");
  const identity = await gateway.send({
    method: "POST",
    path,
    body: '{"screenName":"a"}',
    headers: { "content-encoding": "Identity" },
  });
  assert.is(identity.status, 200);
});

Bodies.run();

function multipartType(): string {
  return `Multipart/Form-Data; boundary=${boundary}`;
}

function multipart(...parts: (readonly [disposition: string, value: string | Buffer])[]): Buffer {
  const chunks = parts.flatMap(([disposition, value]) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`),
    Buffer.from(value as string),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

function refused(reply: Reply, status: number, errorCode: string): void {
  assert.is(reply.status, status, reply.text);
  assert.is((JSON.parse(reply.text) as { responseStatus: { errorCode: string } }).responseStatus.errorCode, errorCode);
  assert.equal(gateway.calls, []);
}
