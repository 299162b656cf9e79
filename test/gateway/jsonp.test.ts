import * as assert from "uvu/assert";
import { createScriptEscaper, isCallbackName, wrapJsonp } from "../../gateway/rendering/jsonp.ts";
import { suite } from "../support/suite.ts";

const Jsonp = suite("gateway JSONP");

const names = [
  "cb",
  "$",
  "_1",
  "jQuery1110_123",
  "angular.callbacks._0",
  "a.b.c",
  "a[0]",
  'a["b"].c[12]',
  "été",
  "名前",
  "a\u200d",
  "a.if",
  "ifs",
  "a".repeat(128),
];
for (const name of names) {
  Jsonp(`accepts ${name.slice(0, 30)} as a callback`, () => {
    assert.ok(isCallbackName(name));
  });
}

const others = [
  "",
  " ",
  "1a",
  "a b",
  "a-b",
  "a.",
  ".a",
  "a..b",
  "a[b]",
  "a['b']",
  'a["b]',
  "a[0][1]",
  "a[-1]",
  "a[]",
  "a()",
  "a;alert(1)",
  "a=1",
  "a//",
  "a\n",
  "a\u2028",
  "</script>",
  "if",
  "this",
  "new.target",
  "import",
  "\\u0061",
  "a\u{1F426}",
  "\ud800",
  "a".repeat(129),
];
for (const name of others) {
  Jsonp(`refuses ${JSON.stringify(name.slice(0, 30))} as a callback`, () => {
    assert.not.ok(isCallbackName(name));
  });
}

Jsonp("accepts only names that a JavaScript engine can call", () => {
  for (const name of names) new Function(`${name}({})`);
});

Jsonp("wraps a reply, and escapes characters that end a line or the script", () => {
  assert.is(wrapJsonp("a.b", '{"a":"\u2028\u2029</script></"}'), 'a.b({"a":"\\u2028\\u2029<\\/script><\\/"})');
});

Jsonp("escapes one reply of a batch in each turn of the event loop, and equal replies once", async () => {
  const escape = createScriptEscaper();
  const replies = ['"</"', '"\u2028"', '"c"'].map((text) => Buffer.from(text));
  const done: string[] = [];
  const escaped = replies.map((reply) => escape(reply));
  for (const one of escaped) void one.then((bytes) => done.push(bytes.toString()));
  assert.is(escape(replies[1] as Buffer), escaped[1]);
  const turns: number[] = [];
  while (turns.at(-1) !== replies.length) {
    await new Promise(setImmediate);
    turns.push(done.length);
  }
  assert.equal(
    turns.filter((count) => count > 0),
    [1, 2, 3],
  );
  assert.equal(done, ['"<\\/"', '"\\u2028"', '"c"']);
});

Jsonp.run();
