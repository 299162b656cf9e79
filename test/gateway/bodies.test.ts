import { create, type Message, ScalarType } from "@bufbuild/protobuf";
import { createRouterTransport } from "@connectrpc/connect";
import fc from "fast-check";
import * as assert from "uvu/assert";
import { parseJson } from "../../gateway/binding/parse-json.ts";
import { publicServices } from "../../gateway/clients.ts";
import { maxTextLength } from "../../gateway/http/limits/limits.ts";
import { compileOperations } from "../../gateway/operations/operation-table.ts";
import { publicFields, publicName } from "../../gateway/rendering/public-fields.ts";
import { parseLogin } from "../../services/account/domain/login.ts";
import { isScreenName } from "../../services/platform/rules/screen-name.ts";
import { statusTextFault } from "../../services/social/domain/status-text.ts";
import { suite } from "../support/suite.ts";
import { type Reply, useFakeGateway } from "./fake-gateway.ts";
import { exchangeRaw } from "./raw-socket.ts";

const Bodies = suite("gateway bodies");
const gateway = useFakeGateway(Bodies);

const boundary = "----b";
const multipartType = `Multipart/Form-Data; boundary=${boundary}`;
const urlencoded = "application/x-www-form-urlencoded";
const path = "/json/reply/SocialTimelines";

const post = (body: string, type: string) =>
  gateway.send({ method: "POST", path, body, headers: { "content-type": type } });

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
    const json = { "content-type": "application/json", ...headers };
    await gateway.send({ path: target, headers: json, body: '{"take":7}' });
    assert.is(gateway.calls.pop()?.request.take, 7n);
  }
});

Bodies("reads multipart forms, and ignores files and parts without a name", async () => {
  const body = multipart(
    ['form-data; name="ScreenName"', "é,\u{1F426}"],
    ['form-data; name="take"; filename="take.txt"', "7"],
    ["form-data", "8"],
    ['form-data; name="sinceId"', "9"],
  );
  const reply = await post(body, multipartType);
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
  const type = `multipart/form-data; charset=utf-8; boundary="${boundary}"`;
  const reply = await post(body.replace(`--${boundary}x`, "a"), type);
  assert.is(reply.status, 200, reply.text);
  assert.equal(gateway.calls[0]?.request, { screenName: "a", take: 7n });
});

Bodies("reads a large field of a multipart form", async () => {
  const screenName = "é".repeat(200_000);
  const body = multipart(['form-data; name="screenName"', screenName]);
  await post(body, multipartType);
  assert.is(gateway.calls[0]?.request.screenName, screenName.slice(0, maxTextLength));
});

Bodies("keeps a byte order mark that begins a value of a form, and drops the one that begins the body", async () => {
  const value = "\ufeffa";
  const forms: [type: string, body: string][] = [
    [multipartType, multipart(['form-data; name="screenName"', value])],
    [urlencoded, `screenName=${value}`],
  ];
  for (const [type, body] of forms) {
    for (const start of ["", "\ufeff"]) {
      const reply = await post(start + body, type);
      assert.is(reply.status, 200, reply.text);
      assert.is(gateway.calls.pop()?.request.screenName, value);
    }
  }
});

Bodies("reads JSON that is declared as a multipart form", async () => {
  for (const type of [multipartType, "multipart/form-data"]) {
    for (const start of ["", " \n\t\r", "\ufeff "]) {
      const reply = await post(`${start}{"screenName":"a"}`, type);
      assert.is(reply.status, 200, reply.text);
      assert.is(gateway.calls.pop()?.request.screenName, "a");
    }
  }
});

const part = ['form-data; name="screenName"', "a"] as const;
const brokenForms: [why: string, body: string, type?: string][] = [
  ["has another boundary than its type", multipart(part), "multipart/form-data; boundary=other"],
  ["is not a multipart form", "screenName=a"],
  ["has a part without an end of its headers", "------b\r\nContent-Disposition: form-data; name=a\r\n------b--\r\n"],
  ["has a boundary of more than 70 characters", multipart(part), `multipart/form-data; boundary=${"-".repeat(71)}`],
];
for (const [why, body, type = multipartType] of brokenForms) {
  Bodies(`refuses a multipart form that ${why}`, async () => {
    isUnreadable(await post(body, type));
  });
}

Bodies("refuses compressed bodies", async () => {
  const headers = { "content-encoding": "gzip" };
  isUnreadable(await gateway.send({ method: "POST", path, body: "{}", headers }));
  const identity = { method: "POST", path, body: '{"screenName":"a"}', headers: { "content-encoding": "Identity" } };
  assert.is((await gateway.send(identity)).status, 200);
});

Bodies.run();

function multipart(...parts: (readonly [disposition: string, value: string])[]): string {
  const texts = parts.map(
    ([disposition, value]) => `--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n${value}\r\n`,
  );
  return `${texts.join("")}--${boundary}--\r\n`;
}

function isUnreadable({ status, text }: Reply): void {
  assert.is(status, 400, text);
  assert.match(text, '"errorCode":"SerializationException"');
  assert.equal(gateway.calls, []);
}

const Json = suite("gateway JSON");

const names = new Set(["alone", "list", "n", "b", "username", "ab", "c", "7", "__proto__"]);
const read = (text: string) => parseJson(text, { names, clearable: new Set(), maxElements: 3, maxRequests: 4 });

Json("distinguishes whole numbers from others exactly", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0019"), minLength: 1, maxLength: 24 });
  const number = fc.tuple(digits.map(BigInt), fc.option(digits), fc.option(fc.integer({ min: -45, max: 24 })));
  const property = fc.property(number, ([integer, fraction, exponent]) => {
    const text = `${integer}${fraction === null ? "" : `.${fraction}`}${exponent === null ? "" : `e${exponent}`}`;
    const shift = (exponent ?? 0) - (fraction ?? "").length;
    const isWhole = shift >= 0 || BigInt(`${integer}${fraction ?? ""}`) % 10n ** BigInt(-shift) === 0n;
    assert.is(Number.isInteger((read(`{"n":${text}}`) as { n: number }).n), isWhole, text);
  });
  fc.assert(property, { numRuns: 3_000 });
});

Json("reads the same values as JSON.parse", () => {
  const key = fc.constantFrom("ab", "aB", "Ab", "AB", "c", "C", "7", "__proto__", "__PROTO__", "ſ", 'q"', "q\\");
  const value = fc.oneof(fc.integer(), fc.string(), fc.constantFrom("}", ":", "\\", '"'), fc.boolean(), fc.double());
  const property = fc.property(fc.array(fc.tuple(key, value), { maxLength: 12 }), (pairs) => {
    const text = pairs.map(([name, said]) => `${JSON.stringify(name)} : ${JSON.stringify(said)}`).join(" , ");
    const members = new Map<string, unknown>();
    for (const [name, said] of pairs) {
      members.delete(name);
      members.set(name, JSON.parse(JSON.stringify(said)));
    }
    const expected = new Map<string, unknown>();
    for (const [name, known] of members) {
      if (names.has(name.toLowerCase()) && known !== null) expected.set(name.toLowerCase(), known);
    }
    const parsed = read(`{${text}}`) as object;
    assert.equal(new Map(Object.entries(parsed)), expected);
    assert.is(Object.getPrototypeOf(parsed), Object.prototype);
  });
  fc.assert(property, { numRuns: 3_000 });
});

Json("refuses the same texts as JSON.parse", () => {
  const characters = '{}[],:"\\ \t\n\r\f-+.eE01u\u00a0\ufeff';
  const words =
    'true false null tru 0.5 -0 01 1e5 [] {} [1,2] {"a":1} "a" "a": "\\n" "\\u12aF" "\\u12a" "\\x" "\u0001" "\u007f"';
  const piece = fc.constantFrom(...characters, ...words.split(" "));
  const noise = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
  const nearly = fc.tuple(fc.json(), fc.nat(), piece).map(([json, at, inserted]) => {
    const place = at % (json.length + 1);
    return json.slice(0, place) + inserted + json.slice(place + (at % 2));
  });
  const property = fc.property(fc.oneof(noise, nearly, fc.json()), (text) => {
    // Under a known name, and under another.
    for (const whole of [text, `{"b":${text}}`, `{"x":${text}}`, `[${text}]`]) {
      assert.is(accepts(read, whole), accepts(JSON.parse, whole), whole);
    }
  });
  fc.assert(property, { numRuns: 5_000 });
});

Json("reads long strings as JSON.parse does, wherever an escape, a control character or the end is", () => {
  const inside = ['\\"', "\\u0041", "\\n", "\u0001", "\n", "\u007f", "\u00e9\u4e2d", "\\x"];
  const endings = ['"', "\\", "", ...inside.map((end) => `${end}"`)];
  for (const length of [0, 1, 62, 63, 64, 65, 66, 1_000]) {
    for (const first of endings) {
      for (const second of endings) {
        const long = "a".repeat(length);
        const text = `{"b":"${long}${first.replace(/"$/, "")}${long}${second}}`;
        const isJson = accepts(JSON.parse, text);
        assert.is(accepts(read, text), isJson, text);
        if (isJson) assert.equal(read(text), JSON.parse(text), text);
      }
    }
  }
});

Json.run();

function accepts(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    assert.instance(error, SyntaxError);
    return false;
  }
}

const LongTexts = suite("gateway binder: texts that are longer than any field allows");

const transport = createRouterTransport(() => {});
const operations = compileOperations(publicServices({ publicOperations: "all" }, { transport }, { transport }));

/** Texts of a megabyte: with blanks around them, and with a beginning that alone would be valid. */
const texts = [
  "x".repeat(1_000_000),
  `${" \t".repeat(maxTextLength)}${"é".repeat(400_000)}\n`,
  `x${"\u{1F426}".repeat(250_000)}`,
  `https://example.org/${"x".repeat(1_000_000)}`,
  `${"x".repeat(1_000_000)}@example.org`,
];

/** What services make of texts that no rule of the contract's annotations refuses. */
const inServices: Record<string, (text: string) => unknown> = {
  screenName: isScreenName,
  screenNames: isScreenName,
  inReplyToScreenName: isScreenName,
  text: (text) => statusTextFault(text, 280),
  userName: parseLogin,
  provider: (text) => text.toLowerCase() === "credentials",
};

for (const { name, method, bind, checkRules } of operations) {
  for (const field of publicFields(method.input)) {
    if (field.scalar !== ScalarType.STRING) continue;
    LongTexts(`are refused by the same rule when they are cut: ${publicName(field)} of ${name}`, () => {
      for (const text of texts) {
        const given = field.fieldKind === "list" ? [text] : text;
        const whole = create(method.input, { [field.localName]: given });
        const bound = bind({ [publicName(field)]: given }, []) as Message & Record<string, string | string[]>;
        assert.equal(checkRules(bound), checkRules(whole));
        const cut = [bound[field.localName]].flat()[0]!;
        assert.is(cut.length, maxTextLength);
        const refused = checkRules(whole).some(({ fieldName }) => fieldName === publicName(field));
        if (!refused) assert.equal(inServices[field.localName]?.(cut), inServices[field.localName]?.(text));
        assert.ok(refused || field.localName in inServices);
      }
    });
  }
}

const { bind: registration } = operations.find(({ name }) => name === "Registration")!;
const userNameOf = (...texts: string[]) => {
  const pairs = texts.map((text) => ["userName", text] as const);
  return (registration({}, [pairs]) as Message & { userName?: string }).userName;
};

LongTexts("are compared whole where one is given twice", () => {
  const long = "a".repeat(maxTextLength);
  assert.throws(() => userNameOf(`${long}x`, `${long}y`));
  assert.is(userNameOf(`${long}x`, `${long}x`), long);
});

LongTexts("are sent unchanged when only blanks around them make them long", () => {
  const text = `${" ".repeat(2 * maxTextLength)}ann`;
  assert.is(userNameOf(text), text);
});

LongTexts.run();
