import * as assert from "uvu/assert";
import { createServedTargets } from "../../gateway/http/fast-path/served-targets.ts";
import type { ReplyLoaders } from "../../gateway/http/replies/reply-loaders.ts";
import { suite } from "../support/suite.ts";

const Targets = suite("served targets");

/** How many of 3,000 targets of so many characters are stored. */
function countStored(length: number, parts: Omit<ReplyLoaders, "anonymous" | "forViewer">): number {
  const requests = { of: () => ({ note: () => {} }) };
  const targets = createServedTargets({ isOverloaded: () => false, bodies: {} as never }, requests as never);
  const keys = Array.from({ length: 3_000 }, (_, index) => `/${index}`.padEnd(length, "x"));
  const anonymous = { load: () => assert.unreachable() as never, local: undefined };
  for (const key of keys) targets.addTarget(key, "SocialUsers", { anonymous, forViewer: undefined, ...parts });
  return keys.filter((key) => targets.findAgain(key) !== undefined).length;
}

Targets("are bounded by the memory that each takes: its text, the items of a batch and the names of its lists", () => {
  const maxBytes = 5 * 1024 * 1024;
  // In bytes, as measured; each is counted as at most half as much again.
  for (const [length, parts, bytes] of [
    [50, { listed: 0 }, 2_000],
    [1_100, { listed: 100 }, 17_400],
    [3_000, { listed: 1_000 }, 154_000],
    [400, { items: 10, listed: 0 }, 7_000],
    [6_900, { items: 2, listed: 998 }, 155_000],
  ] as const) {
    const stored = countStored(length, parts);
    assert.ok(stored * bytes <= maxBytes, `${stored} of ${bytes} bytes`);
    assert.ok(stored * bytes > maxBytes / 1.5, `${stored} of ${bytes} bytes`);
  }
});

Targets.run();
