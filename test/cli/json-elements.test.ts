import fc from "fast-check";
import * as assert from "uvu/assert";
import { type Json, parseJson } from "../../cli/json/json.ts";
import { type Element, JsonFault, readElements } from "../../cli/json/read-elements.ts";
import { valuesOf } from "../support/people.ts";
import { suite } from "../support/suite.ts";

const Elements = suite("cli: elements of a JSON file");
const names = ["statuses", "users", "results"];

Elements("are those of a named list in an object, without the rest of the object", async () => {
  const text = '{"meta":{"statuses":[0]},"results_x":[1],"statuses":[{"results":[2]}],"next":[[3]],"n":-1e3}';
  assert.equal(await read(text), [{ results: [2] }]);
  const { elements } = await collect(['{"users":["u"],"x":"statuses","statuses":["s", 2]}']);
  assert.equal(elements, [
    { list: "users", index: 0, text: '"u"' },
    { list: "statuses", index: 0, text: '"s"' },
    { list: "statuses", index: 1, text: "2" },
  ]);
});

Elements("may be assigned to a variable, with a byte order mark, spaces and a semicolon around them", async () => {
  const text = '\ufeff \n window.YTD.direct_messages_group.part12  =  [ 1 , "a,]" ] ; \n';
  assert.equal(await read(text, { assigned: true }), [1, "a,]"]);
  assert.equal(await read("\ufeff\n[1]\n"), [1]);
});

Elements("equal those of JSON.parse, wherever the text is split into chunks", async () => {
  const lists = fc.array(fc.jsonValue({ stringUnit: "binary", maxDepth: 5 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 2), async (list, size, indent) => {
      const text = JSON.stringify(list, null, indent);
      const expected = JSON.parse(text) as unknown;
      const cut = (whole: string, list: Lists) => read(whole, list, size, JSON.parse);
      assert.equal(await cut(text, {}), expected);
      assert.equal(await cut(`window.YTD.tweets.part0 = ${text}`, { assigned: true }), expected);
      const wrapped = { "@context": ["x", { users: [] }], id: "users", users: list, more: [list] };
      assert.equal(await cut(JSON.stringify(wrapped, null, indent), { names }), expected);
    }),
    { numRuns: 100, seed: 20_261_121 },
  );
});

Elements("keep every digit of an id, and strings as they are", async () => {
  const text = `[{"id":505874924095815681,"n":[-18446744073709551615,1.25,0.12345678901234566]},
    {"id":"1","text":"\\": 505874924095815681, \\\\"}, "\ufeffa\ufeff", "\\ufeffb\\u0000", "\\ud83d\\ude00😀\\ud83d"]`;
  assert.equal(await read(text), [
    { id: "505874924095815681", n: ["-18446744073709551615", 1.25, 0.12345678901234566] },
    { id: "1", text: '": 505874924095815681, \\' },
    "\ufeffa\ufeff",
    "\ufeffb\0",
    "😀😀\ud83d",
  ]);
  const long = `["${'\\"'.repeat(2 ** 20)}",505874924095815681]`;
  assert.is((parseJson(long) as Json[])[1], "505874924095815681");
});

Elements("may have a field named __proto__, which changes no prototype", async () => {
  const [value] = (await read('[{"__proto__":{"polluted":true}, "id":505874924095815681}]')) as [
    { polluted?: boolean },
  ];
  assert.equal([Object.keys(value), value.polluted], [["__proto__", "id"], undefined]);
});

Elements("that cannot be parsed say why, and the others are returned", async () => {
  const deep = (depth: number) => `${"[".repeat(depth)}0${"]".repeat(depth)}`;
  const badText = Buffer.concat([Buffer.from('[1,"'), Buffer.from([0xff]), Buffer.from('",2]')]);
  const cases: [Uint8Array | string, string | undefined][] = [
    [badText, "it is not UTF-8"],
    [`[1,${deep(63)},2]`, undefined],
    [`[1,${deep(64)},2]`, "it is nested more than 64 deep"],
    [`[1,"${"x".repeat(4 * 1024 ** 2)}",2]`, "it is larger than 4194304 bytes"],
  ];
  for (const [text, reason] of cases) {
    const { elements, fault } = await collect([text]);
    assert.is(fault, undefined);
    assert.equal(valuesOf(elements, "fault"), [undefined, reason, undefined]);
    assert.equal([elements[0]?.text, elements[2]?.text], ["1", "2"]);
  }
});

Elements("are one where a list has one: the object under a name, or the file itself", async () => {
  assert.equal(await read('{"id":1,"statuses":{"a":[1]}}'), [{ a: [1] }]);
  assert.equal(await read('{"results":"users","it":[1]}'), [{ results: "users", it: [1] }]);
  assert.equal(await read('{\n  "users": {"id": 1},\n  "statuses": [2]\n}'), [{ id: 1 }, 2]);
  // It is as long as ten elements may be, and holds a list.
  const long = `{"more":"${"x".repeat(40 * 1024 ** 2)}","statuses":[1]}`;
  assert.equal(await read(long, { names }, 1024 ** 2), [1]);
});

Elements("may be lines, of which a broken one costs itself only, wherever the text is split into chunks", async () => {
  const lines = [
    '{"id":1,"text":"a}"}',
    '{"id":2,"text":"b',
    '{"id":3,',
    "",
    "}",
    '{"statuses":[{"id":4},{"id":5}]}\r',
    '{"id":6}',
  ];
  for (const size of [1, 7, 1_000]) {
    const { elements, fault } = await collect(chunksOf(`\ufeff${lines.join("\n")}`, size));
    assert.is(fault, undefined);
    const found = elements.map((element) => element.fault ?? (parseJson(element.text) as { id: number }).id);
    const broken = [17, 8].map((byte) => `the file is cut off, near byte ${byte}`);
    assert.equal(found, [1, ...broken, "its brackets do not match, near byte 0", 4, 5, 6]);
    assert.equal(valuesOf(elements, "index"), [0, 1, 2, 3, 4, 5, 6]);
  }
});

Elements("before a fault are all returned, and the fault names the element and the byte", async () => {
  const cases: [text: string, elements: number, path: string, reason: string][] = [
    ['[{"a":1},{"b":2},{"c"', 2, "[2]", "the file is cut off, near byte 21"],
    ['[{"a":1},{"b":2}', 1, "[1]", "the file is cut off, near byte 16"],
    ['[{"a":1},{"b":2]', 1, "[1]", "its brackets do not match, near byte 15"],
    ['[{"a":1},,{"b":2}]', 1, "[1]", "a comma too many, near byte 9"],
    ['[{"a":1},]', 1, "[1]", "a comma too many, near byte 9"],
    ['[{"a":1}]]', 1, "", "something follows its end, near byte 9"],
    ['[{"a":1}] {}', 1, "", "something follows its end, near byte 10"],
    ["", 0, "", "the file is empty"],
    ["Dear diary", 0, "", "the file is not JSON"],
    ['"text"', 0, "", "the file is not JSON"],
  ];
  for (const [text, ...expected] of cases) {
    const { elements, fault } = await collect([text]);
    assert.equal([elements.length, fault?.path ?? "", fault?.reason], expected, text);
  }
});

Elements.run();

type Lists = Parameters<typeof readElements>[1];

async function read(text: string, list: Lists = { names }, size = 1_000, parse: (text: string) => unknown = parseJson) {
  const { elements, fault } = await collect(chunksOf(text, size), list);
  if (fault) throw fault;
  return elements.map((element) => parse(element.text));
}

function chunksOf(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text);
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
}

async function collect(chunks: (string | Uint8Array)[], list: Lists = { names }) {
  const elements: Element[] = [];
  try {
    for await (const found of readElements(bytesOf(chunks), list)) elements.push(...found);
    return { elements };
  } catch (fault) {
    assert.instance(fault, JsonFault);
    return { elements, fault: fault as JsonFault };
  }
}

async function* bytesOf(chunks: (string | Uint8Array)[]) {
  for (const chunk of chunks) yield Buffer.from(chunk as string);
}
