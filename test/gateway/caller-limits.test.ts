import { create } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import * as assert from "uvu/assert";
import { createCallerLimits } from "../../gateway/calls/caller-limits.ts";
import type { RawCall, RawReply } from "../../gateway/calls/raw-call.ts";
import { viewerHeader } from "../../services/platform/connect/identity.ts";
import { suite } from "../support/suite.ts";

const Limits = suite("limits of callers");
const reply: RawReply = { wire: new Uint8Array(), header: new Headers() };

/** A call that ends when it is told to, and how many of each caller are under way. */
function openCall() {
  const running: Record<string, number> = {};
  const ends: (() => void)[] = [];
  const call: RawCall = async (_request, header) => {
    const viewer = header[viewerHeader] ?? "";
    running[viewer] = (running[viewer] ?? 0) + 1;
    await new Promise<void>((resolve) => ends.push(resolve));
    running[viewer]--;
    return reply;
  };
  return { call, running, ends };
}

const turn = () => new Promise(setImmediate);
const of = (call: RawCall, viewer?: string, deadline = performance.now() + 60_000) =>
  call(create(EmptySchema), viewer === undefined ? {} : { [viewerHeader]: viewer }, deadline);

Limits("let others call while one caller waits, counted over all operations", async () => {
  const { call, running, ends } = openCall();
  const limit = createCallerLimits({ ofViewer: 3, anonymous: 5 });
  const [one, other] = [limit(call), limit(call)];
  const made = Array.from({ length: 10 }, (_, index) => of(index % 2 === 0 ? one : other, "1"));
  await turn();
  assert.equal(running, { 1: 3 });
  made.push(of(one, "2"), ...Array.from({ length: 9 }, () => of(other)));
  await turn();
  assert.equal(running, { 1: 3, 2: 1, "": 5 });
  while (ends.length > 0) {
    for (const end of ends.splice(0)) end();
    await turn();
  }
  assert.is((await Promise.all(made)).length, 20);
  assert.equal(running, { 1: 0, 2: 0, "": 0 });
});

Limits("let a caller continue after failed calls", async () => {
  const limit = createCallerLimits({ ofViewer: 1, anonymous: 1 });
  const fail = limit(() => Promise.reject(new Error("no")));
  for (let count = 0; count < 3; count++) assert.is(await of(fail, "1").catch((error) => error.message), "no");
  assert.is(
    await of(
      limit(async () => reply),
      "1",
    ),
    reply,
  );
});

Limits.run();
