import * as assert from "uvu/assert";
import { compileBinder } from "../../gateway/binding/compile-binder.ts";
import { suite } from "../support/suite.ts";
import { makeService } from "./made-descriptors.ts";

const Binder = suite("gateway binder: boot");

for (const type of ["BYTES", "FLOAT", "UINT64"] as const) {
  Binder(`fails at boot on a request field of type ${type}`, () => {
    const { input } = makeService({ methods: [{ name: "Ask", paths: [] }], request: [{ name: "a", type }] })
      .methods[0]!;
    assert.throws(() => compileBinder(input), /field made\.Request\.a is of a kind that a public request cannot have/);
  });
}

Binder("fails at boot on a list without max_entries", () => {
  const request = [{ name: "a", type: "STRING" as const, isList: true }];
  const { input } = makeService({ methods: [{ name: "Ask", paths: [] }], request, maxEntries: 0 }).methods[0]!;
  assert.throws(() => compileBinder(input), /made\.Request has a list and no max_entries/);
});

Binder("fails at boot on a request field in a oneof", () => {
  const request = [{ name: "a", type: "STRING" as const, isChoice: true }];
  const { input } = makeService({ methods: [{ name: "Ask", paths: [] }], request }).methods[0]!;
  assert.throws(() => compileBinder(input), /field made\.Request\.a is of a kind that a public request cannot have/);
});

Binder("fails at boot on fields that differ in case only", () => {
  const request = [
    { name: "ab", type: "STRING" as const },
    { name: "aB", type: "STRING" as const },
  ];
  const { input } = makeService({ methods: [{ name: "Ask", paths: [] }], request }).methods[0]!;
  assert.throws(() => compileBinder(input), /differ in case only/);
});

Binder.run();
