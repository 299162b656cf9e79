import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { create } from "@bufbuild/protobuf";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { compilePageRequest } from "../../gateway/cache/reads/page-request.ts";
import { type Cache, type CachedPage, operation } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { SocialService, SocialTimelinesRequestSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { readOption } from "../../services/platform/read-option.ts";

const Copies = suite("keys of cached pages");

Copies("do not keep the body that named the user in memory", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const option = readOption(SocialService.method.socialTimelines, operation).cache as Cache;
  const request = compilePageRequest(SocialTimelinesRequestSchema, option, option.kind.value as CachedPage);
  const name = (n: number) => `${n}`.padStart(15, "a");
  const keyOf = (n: number) => {
    const body = Buffer.from(`${name(n)}${" ".repeat(50_000)}`).toString();
    return request.nameKey(create(SocialTimelinesRequestSchema, { screenName: body.slice(0, 15) }));
  };
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const keys = Array.from({ length: 1_000 }, (_, n) => keyOf(n));
  collectGarbage();
  const grown = process.memoryUsage().heapUsed - before;
  assert.is(keys[999], name(999));
  assert.ok(grown < 5_000_000, `${keys.length} keys take ${grown} bytes`);
});

Copies.run();
