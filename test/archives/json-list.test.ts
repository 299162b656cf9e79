import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ListPlace, readElements } from "../../cli/archive/json-list.ts";
import { countMessages } from "../../cli/archive/x/count-messages.ts";

const List = suite("archives: lists in JSON files");

async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function elements(text: string, place: ListPlace, size = 1_000): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const element of readElements(chunksOf(text, size), place)) found.push(JSON.parse(element));
  return found;
}

List("are cut into the elements that JSON.parse finds, wherever the chunks end", async () => {
  const json = fc.array(fc.jsonValue({ maxDepth: 5 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(json, fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 2), async (list, size, indent) => {
      const text = JSON.stringify(list, null, indent);
      assert.equal(await elements(`window.YTD.tweets.part0 = ${text}`, { assigned: true }, size), JSON.parse(text));
      const wrapped = JSON.stringify(
        { "@context": ["x", { items: [] }], id: "items", items: list, more: [list] },
        null,
        indent,
      );
      assert.equal(await elements(wrapped, { under: "items" }, size), JSON.parse(text));
    }),
    { numRuns: 300, seed: 20_261_121 },
  );
});

List("may have a byte order mark, blanks and a semicolon around them", async () => {
  const text = '\ufeff \n window.YTD.direct_messages_group.part12  =  [ 1 , "a,]" ] ; \n';
  assert.equal(await elements(text, { assigned: true }), [1, "a,]"]);
});

List("go by their name at the top only, and only once", async () => {
  assert.equal(await elements('{"a":{"items":[1]},"items":[2],"items":[3]}', { under: "items" }), [2]);
  for (const text of ['{"a":{"items":[1]}}', '{"items":"items"}', '{"it":"items","b":[1]}', "{}"]) {
    const failure = await elements(text, { under: "items" }).then(String, String);
    assert.match(failure, "it has no list items", text);
  }
});

List("have their messages counted wherever the chunks end", async () => {
  const text = JSON.stringify([{ messageCreate: { text: '"messageCreate" \\' } }, { messageCreate: {} }, { other: 1 }]);
  for (let size = 1; size < 60; size++) assert.is(await countMessages(chunksOf(text, size)), 2, `${size}`);
});

List.run();
