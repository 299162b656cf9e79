import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { JsonFault } from "../../cli/import/json/fault.ts";
import { type FoundItem, readItems } from "../../cli/import/json/items.ts";
import { isList, isObject, type Json, JsonNumber } from "../../cli/import/json/json.ts";

const Items = suite("cli: items of a JSON file");

Items("are the elements of a list", async () => {
  assert.equal(await read('[{"a":1},[2],"three",null]'), [{ a: 1 }, [2], "three", null]);
});

Items("are the elements of a named list in an object, and nothing else in it", async () => {
  const text = '{"meta":{"statuses":[0]},"results_x":[1],"statuses":[{"results":[2]}],"next":[[3]],"n":-1e3}';
  assert.equal(await read(text), [{ results: [2] }]);
});

Items("of several named lists are told apart", async () => {
  const found = await collect(['{"users":["u"],"statuses":["s","t"]}']);
  assert.equal(found.items, [
    { list: "users", index: 0, value: "u" },
    { list: "statuses", index: 0, value: "s" },
    { list: "statuses", index: 1, value: "t" },
  ]);
});

Items("keep every digit of a number", async () => {
  const { items } = await collect(["[505874924095815681, 18446744073709551615, -1.50, 1E400]"]);
  assert.equal(
    items.map(({ value }) => (value as JsonNumber).text),
    ["505874924095815681", "18446744073709551615", "-1.50", "1E400"],
  );
});

Items("keep strings as they are, U+FEFF and half surrogate pairs included", async () => {
  const text = '["\ufeffa\ufeff","\\ufeffb\\u0000","\\ud83d\\ude00😀","\\ud83d"]';
  assert.equal(await read(text), ["\ufeffa\ufeff", "\ufeffb\0", "😀😀", "\ud83d"]);
});

Items("treat __proto__ as a name like any other", async () => {
  const [value] = (await collect(['[{"__proto__":{"polluted":true}}]'])).items.map((item) => item.value);
  assert.equal(Object.keys(value as object), ["__proto__"]);
  assert.is((value as Record<string, unknown>).polluted, undefined);
});

Items("follow a byte order mark", async () => {
  assert.equal(await read("\ufeff[1]"), [1]);
});

Items("equal those of JSON.parse, wherever the chunks are cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue({ stringUnit: "binary" })),
      fc.integer({ min: 1, max: 9 }),
      async (list, cut) => {
        const text = JSON.stringify(list);
        assert.equal(await read(text, cut), JSON.parse(text));
      },
    ),
    { numRuns: 300 },
  );
});

Items("before a fault are all delivered, and the fault names the item", async () => {
  const cases: [text: string, items: number, path: string, reason: RegExp][] = [
    ['[{"a":1},{"b":2},{"c"', 2, "[2]", /^the file is cut off, at byte 21$/],
    ['[{"a":1},{"b":2}', 2, "[2]", /cut off/],
    ['[{"a":1},{"b":2,}', 1, "[1]", /cannot be read any further, near byte 8: unexpected token/],
    ['[{"a":1} {"b":2}]', 1, "[1]", /near byte 8/],
    ['{"statuses":[{"a":1}], "x": y}', 1, "", /near byte/],
    ['[{"a":1}]]', 1, "", /near byte/],
  ];
  for (const [text, items, path, reason] of cases) {
    const found = await collect([text]);
    assert.is(found.items.length, items, text);
    assert.instance(found.fault, JsonFault, text);
    assert.is(found.fault?.path, path, text);
    assert.match(found.fault?.reason ?? "", reason);
  }
});

Items("before a byte that is not UTF-8 are all delivered", async () => {
  const bytes = Buffer.concat([Buffer.from('[{"a":1},{"b":"'), Buffer.from([0xff]), Buffer.from('"}]')]);
  const found = await collect([bytes]);
  assert.is(found.items.length, 1);
  assert.match(found.fault?.reason ?? "", /near byte 8: it is not UTF-8/);
});

Items("are not found in a file of another kind", async () => {
  for (const [text, reason] of [
    ["", /^the file is empty$/],
    ["Dear diary", /cannot be read any further, near byte 0/],
    ['"text"', /holds neither a list nor an object with statuses, users, results/],
    ['{"id":1,"statuses":{"a":[1]}}', /holds neither/],
  ] as const) {
    const found = await collect([text]);
    assert.is(found.items.length, 0);
    assert.match(found.fault?.reason ?? "", reason);
  }
});

Items.run();

async function read(text: string, cut = text.length): Promise<unknown[]> {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / cut) }, (_, n) =>
    bytes.subarray(n * cut, (n + 1) * cut),
  );
  const { items, fault } = await collect(chunks);
  if (fault) throw fault;
  return items.map(({ value }) => plain(value));
}

async function collect(chunks: (string | Uint8Array)[]): Promise<{ items: FoundItem[]; fault?: JsonFault }> {
  const items: FoundItem[] = [];
  try {
    for await (const item of readItems(bytesOf(chunks), ["statuses", "users", "results"])) items.push(item);
    return { items };
  } catch (fault) {
    return { items, fault: fault as JsonFault };
  }
}

async function* bytesOf(chunks: (string | Uint8Array)[]) {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

/** The value as JSON.parse would have it. */
function plain(value: Json | undefined): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (isList(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    Object.defineProperty(copy, name, {
      value: plain(value[name]),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return copy;
}
