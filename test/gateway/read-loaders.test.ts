import { create } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import type { CachedReads } from "../../gateway/cache/reads/cached-read.ts";
import { ReadLoaders } from "../../gateway/operations/read-loaders.ts";
import { SocialTimelinesRequestSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { suite } from "../support/suite.ts";

const Loaders = suite("loaders of a read");
const input = create(SocialTimelinesRequestSchema, { screenName: "ann" });

Loaders("are made for viewers when the first one reads, once", () => {
  const made: unknown[] = [];
  const viewer = () => assert.unreachable("no page is read") as never;
  const reads: CachedReads = {
    anonymous: () => ({ load: () => Promise.reject(new Error("no page is read")), local: undefined }),
    viewer(message) {
      made.push(message);
      return viewer;
    },
    batch: undefined,
  };
  const loaders = new ReadLoaders(reads, input, 0);
  assert.equal(made, []);
  assert.is(loaders.forViewer, viewer);
  assert.is(loaders.forViewer, viewer);
  assert.equal(made, [input]);
  assert.is(new ReadLoaders({ ...reads, viewer: undefined }, input, 0).forViewer, undefined);
});

Loaders.run();
