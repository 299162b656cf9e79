import * as assert from "uvu/assert";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { changingWrites } from "./changing-writes.ts";

// A page is stored under versions alone. So a write that changes a reply has to raise a version that the reply is stored under, in its own
// transaction.
const Versions = suite("each write that changes a reply raises a version of it");
let services: TestServices;

Versions.before(async () => {
  services = await startTestServices();
});
Versions.after(() => services.stop());

/** What a caller is shown of a user, without the version; a refusal as its text. */
async function shown(screenName: string, viewer: bigint | undefined): Promise<string[]> {
  const options = viewer === undefined ? {} : { headers: { "roost-viewer": `${viewer}` } };
  const { social } = services.clients;
  const reads = [
    social.socialUsers({ screenNames: [screenName] }, options),
    social.socialTimelines({ screenName }, options),
  ];
  const text = (_: string, value: unknown) => (typeof value === "bigint" ? `${value}` : value);
  return Promise.all(
    reads.map((read) =>
      read.then(
        (reply) => JSON.stringify(reply, (key, value) => (key === "version" ? undefined : text(key, value))),
        (error: Error) => error.message,
      ),
    ),
  );
}

/** Replies and the versions that they are stored under: for a viewer also the version of the viewer. */
async function look(names: readonly string[], viewers: readonly bigint[]) {
  const asked = { screenNames: [...names], viewerIds: [...viewers] };
  const { versions, viewerVersions } = await services.clients.versions.listVersions(asked);
  const pages = names.flatMap((name, index) =>
    [undefined, ...viewers].map(async (viewer, at) => ({
      of: `${name} for ${viewer ?? "anonymous callers"}`,
      reply: await shown(name, viewer),
      version: [versions[index], ...(viewer === undefined ? [] : [viewerVersions[at - 1]])].join(),
    })),
  );
  return Promise.all(pages);
}

for (const { title, prepare } of changingWrites) {
  Versions(title, async () => {
    const { names, viewers = [], write } = await prepare(services);
    const before = await look(names, viewers);
    await write();
    const after = await look(names, viewers);
    const changed = after.filter(({ reply }, index) => reply.join() !== before[index]?.reply.join());
    // A mute and a block are shown to their users only, by pages that have something to hide.
    if (!/mute|block$/.test(title)) assert.ok(changed.length > 0, "no reply has changed, so the test shows nothing");
    const stale = after.filter(
      ({ reply, version }, index) => reply.join() !== before[index]?.reply.join() && version === before[index]?.version,
    );
    assert.equal(
      stale.map(({ of }) => of),
      [],
    );
  });
}

Versions.run();
