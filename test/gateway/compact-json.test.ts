import fc from "fast-check";
import * as assert from "uvu/assert";
import { JsonList, type ReplyBytes } from "../../gateway/rendering/assembled-bytes.ts";
import { CompactJson, fromStored, toStored } from "../../gateway/rendering/compact-json.ts";
import { suite } from "../support/suite.ts";

const Compact = suite("JSON in which a value is stored once");

/** The value, and the texts before it and behind each of its occurrences; there are at least two. */
const parts = fc.tuple(
  fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" }),
  fc.array(fc.string({ maxLength: 60, unit: "grapheme" }), { minLength: 3, maxLength: 12 }),
);

function compactOf(value: string, texts: readonly string[]): CompactJson {
  const [before = "", ...behind] = texts.map((text) => Buffer.from(text));
  const start = before.length;
  const end = start + Buffer.byteLength(value);
  const places: number[] = [];
  let at = end;
  for (const text of behind.slice(0, -1)) places.push((at += text.length));
  return CompactJson.of(
    Buffer.concat([Buffer.from(before), Buffer.from(value), ...behind] as Buffer[]),
    [start, end],
    places,
  );
}

/** The body by each of the ways in which it is sent. */
function waysToSend(body: ReplyBytes & { chunks(): Iterable<Buffer>; whole(): Buffer }): string[] {
  const target = Buffer.alloc(body.length + 20, "#");
  assert.is((body as CompactJson).writeTo(target, 7), 7 + body.length);
  assert.is(target.toString("latin1", 0, 7) + target.toString("latin1", 7 + body.length), "#".repeat(20));
  return [
    target.toString("utf8", 7, 7 + body.length),
    body.whole().toString(),
    Buffer.concat([...body.chunks()]).toString(),
  ];
}

Compact("is the same text as if the value were written each time", () => {
  fc.assert(
    fc.property(parts, ([value, texts]) => {
      const whole = texts.join(value);
      const compact = compactOf(value, texts);
      assert.is(compact.length, Buffer.byteLength(whole));
      assert.equal([...new Set(waysToSend(compact))], [whole]);
      const again = fromStored(toStored(compact)) as CompactJson;
      assert.is(again.toString(), whole);
      const edited = compact.map((part, isLast) => Buffer.from(`<${part}>${isLast ? ")" : ""}`));
      assert.is(edited.toString(), `${texts.map((text) => `<${text}>`).join(`<${value}>`)})`);
    }),
  );
});

Compact("is sent in parts of some KB", () => {
  const compact = compactOf("v".repeat(3_000), Array(41).fill("t".repeat(1_000)));
  const sizes = [...compact.chunks()].map(({ length }) => length);
  assert.ok(sizes.length > 5, `${sizes}`);
  assert.ok(
    sizes.slice(0, -1).every((size) => size >= 16 * 1024 && size < 20 * 1024),
    `${sizes}`,
  );
});

Compact("is not read from damaged bytes", () => {
  const { stored } = compactOf("value", ["a", "b", "c"]);
  assert.instance(CompactJson.read(stored), CompactJson);
  for (let length = 0; length < stored.length; length++) {
    const read = CompactJson.read(stored.subarray(0, length));
    // Cut behind the last occurrence it is a shorter text.
    assert.ok(read === undefined || length >= stored.length - 1, `${length} bytes`);
  }
  for (const offset of [4, 8, 12]) {
    const damaged = Buffer.from(stored);
    damaged.writeUInt32BE(1_000, offset);
    assert.is(fromStored(damaged), undefined, `word at ${offset}`);
  }
});

Compact("is told from other JSON by its first byte", () => {
  const json = Buffer.from('{"a":1}');
  assert.is(fromStored(json), json);
});

Compact("is an item of a list as other items are", () => {
  const compact = compactOf("v", ["{", ",", "}"]);
  for (const [items, text] of [
    [[], "f([])"],
    [[compact], "f([{v,v}])"],
    [[Buffer.from("1"), compact, new JsonList([Buffer.from("2"), compact])], "f([1,{v,v},[2,{v,v}]])"],
  ] as const) {
    const list = new JsonList(items, Buffer.from("f(["), Buffer.from("])"));
    assert.equal([...new Set(waysToSend(list))], [text]);
  }
});

Compact.run();
