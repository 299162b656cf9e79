import { randomBytes } from "node:crypto";
import * as assert from "uvu/assert";
import { createCacheCounts } from "../../gateway/cache/cache-metrics.ts";
import { createPageCache } from "../../gateway/cache/pages/page-cache.ts";
import { createRegistry } from "../../services/platform/metrics/registry.ts";
import { suite } from "../support/suite.ts";

const OwnBytes = suite("gateway memory of cached pages");

const counts = createCacheCounts(createRegistry());

OwnBytes("takes no more memory than is counted for a cached page", async () => {
  const pages = createPageCache(1_000_000, undefined, counts.pages).of("SocialTimelines:20");
  const compressible = Buffer.from(randomBytes(1_000).toString("hex"));
  const cases = [
    ["what zlib gives is a part of 16 KiB", "gzip", compressible],
    ["brotli's too", "br", compressible],
    ["a short text is a part of Node's pool", "identity", Buffer.from('{"results":[]}')],
    ["what Redis gives is a part of a read", "identity", Buffer.alloc(64 * 1024, "{}").subarray(0, 2_000)],
    ["a script is made from a page", "script", Buffer.from('{"results":[1]}')],
  ] as const;
  for (const [why, form, content] of cases) {
    const { bytes } = await pages.get(why, form, async () => ({ bytes: content, state: why }));
    assert.is((bytes as Buffer).buffer.byteLength, bytes.length, why);
    assert.is(pages.find(why, form)?.bytes, bytes, why);
  }
});

OwnBytes.run();
