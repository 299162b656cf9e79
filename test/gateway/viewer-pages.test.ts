import { brotliDecompressSync, gunzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { createCacheCounts } from "../../gateway/cache/cache-metrics.ts";
import { createPageCache } from "../../gateway/cache/pages/page-cache.ts";
import { createViewerPages, type ViewerContent } from "../../gateway/cache/pages/viewer-pages.ts";
import type { Viewer } from "../../gateway/cache/pages/viewer-part.ts";
import type { Encoding } from "../../gateway/http/replies/encoding.ts";
import { absentToken } from "../../services/platform/freshness/absent-token.ts";
import { createRegistry } from "../../services/platform/metrics/registry.ts";
import { suite } from "../support/suite.ts";
import { viewerWith as viewer } from "./viewer-with.ts";

const Pages = suite("pages of viewers");

const { viewerContents } = createPageCache(1_000_000, undefined, createCacheCounts(createRegistry()).pages);

/** Pages of author 7, whose state is s1; their content names the viewer for whom they were made. */
function open() {
  const pages = createViewerPages(viewerContents, 100_000);
  const made: string[] = [];
  const content = (token: string, isListed = true): ViewerContent => ({
    bytes: Buffer.from(`for ${token}`),
    shows: { own: token, states: ["s1"], userIds: isListed ? ["7"] : undefined },
  });
  const pageFor = async (reader: Viewer, encoding: Encoding, load = async () => content(reader.token)) =>
    pages.page("timeline", ["s1"], reader, encoding, async () => {
      made.push(reader.token);
      return load();
    });
  const read = async (reader: Viewer, load?: () => Promise<ViewerContent>) =>
    (await pageFor(reader, "identity", load)).bytes.toString();
  return { pageFor, read, made, content };
}

Pages("are made once for all viewers with the same relation digests of the users in them", async () => {
  const { read, made } = open();
  const follows = { 7: "f" };
  assert.is(await read(viewer("a1", { 8: "f" })), "for a1");
  assert.is(await read(viewer("b1")), "for a1");
  assert.is(await read(viewer("c1", follows)), "for c1");
  assert.is(await read(viewer("d1", follows)), "for c1");
  assert.is(await read(viewer("e1", { 7: "n" })), "for e1");
  assert.equal(made, ["a1", "c1", "e1"]);
});

Pages("are not shared when the viewer's relations or the users in the page are unknown", async () => {
  const { read, made, content } = open();
  const unknown = (token: string): Viewer => ({ token, relations: undefined });
  for (let round = 0; round < 2; round++) {
    for (const token of ["a1", "a2"]) assert.is(await read(unknown(token)), `for ${token}`);
  }
  const large = open();
  const many = (token: string) => large.read(viewer(token), async () => content(token, false));
  for (let round = 0; round < 2; round++)
    for (const token of ["b1", "b2"]) assert.is(await many(token), `for ${token}`);
  assert.equal(
    [made, large.made],
    [
      ["a1", "a2"],
      ["b1", "b2"],
    ],
  );
});

Pages("that were made at the same time for a viewer whose relations changed are not shared", async () => {
  const { read, made, content } = open();
  // The first read shows which users the page has.
  await read(viewer("a1"));
  // The first viewer's relations change while the reply is made.
  const [first, second] = await Promise.all([
    read(viewer("b1", { 7: "r" }), async () => content("b2")),
    read(viewer("c1", { 7: "r" })),
  ]);
  assert.equal([first, second], ["for b2", "for c1"]);
  assert.is(await read(viewer("d1", { 7: "r" })), "for c1");
  assert.equal(made, ["a1", "b1", "c1"]);
});

Pages("are made once for each relation of concurrent viewers before their users are known", async () => {
  const { read } = open();
  const readers = [viewer("a1"), viewer("b1", { 7: "f" }), viewer("c1"), viewer("d1", { 7: "f" })];
  assert.equal(await Promise.all(readers.map((reader) => read(reader))), ["for a1", "for b1", "for a1", "for b1"]);
});

Pages("that show a later state than was asked for are made once for viewers who ask at the same time", async () => {
  const { read, made, content } = open();
  const later = (token: string) => async () => ({
    ...content(token),
    shows: { own: token, states: ["s2"], userIds: ["7"] },
  });
  const readers = [viewer("a1"), viewer("b1"), viewer("c1", { 7: "f" })];
  const shown = await Promise.all(readers.map((reader) => read(reader, later(reader.token))));
  assert.equal(shown, ["for a1", "for a1", "for c1"]);
  assert.equal(made, ["a1", "c1"]);
});

Pages(
  "of a user who did not exist when they were asked for are not shown to viewers who asked for other names",
  async () => {
    const pages = createViewerPages(viewerContents, 100_000);
    const read = async (name: string, reader: Viewer) => {
      const page = await pages.page("timeline", [absentToken], reader, "identity", async () => ({
        bytes: Buffer.from(`of ${name}`),
        shows: { own: reader.token, states: [`s-${name}`], userIds: [] },
      }));
      return page.bytes.toString();
    };
    const names = ["ann", "bea", "cal"];
    assert.equal(
      await Promise.all(names.map((name, index) => read(name, viewer(`v${index}`)))),
      names.map((name) => `of ${name}`),
    );
  },
);

Pages("that are refused to one viewer are not refused to another", async () => {
  const { read } = open();
  const refused = async () => Promise.reject(new Error("blocked"));
  const [first, second] = await Promise.allSettled([read(viewer("a1"), refused), read(viewer("b1"))]);
  assert.is(first?.status, "rejected");
  assert.equal(second, { status: "fulfilled", value: "for b1" });
});

Pages("are not stored under relation digests of an earlier state of the viewer", async () => {
  const { read, content } = open();
  await read(viewer("a1"), async () => content("a2"));
  assert.is(await read(viewer("b1")), "for b1");
  assert.is(await read(viewer("a1")), "for b1");
});

Pages("are stored in each encoding that clients ask for, under one name", async () => {
  const { pageFor, made, content } = open();
  const bytes = Buffer.from("text ".repeat(400));
  const read = (token: string, encoding: Encoding, digests?: Record<string, string>) =>
    pageFor(viewer(token, digests), encoding, async () => ({ ...content(token), bytes }));
  const plain = await read("a1", "identity");
  const gzipped = await read("b1", "gzip");
  const brotlied = await read("c1", "br");
  assert.is(await read("d1", "gzip"), gzipped);
  assert.equal(made, ["a1"]);
  assert.equal(gunzipSync(gzipped.bytes as Buffer), bytes);
  assert.equal(brotliDecompressSync(brotlied.bytes as Buffer), bytes);
  assert.equal([gzipped.etag, brotlied.etag], [plain.etag.replace(/"$/, '-gzip"'), plain.etag.replace(/"$/, '-br"')]);
  assert.ok(gzipped.head.join().includes("content-encoding,gzip") && gzipped.head.includes("private, no-cache"));
  // Who has another relation to the author may see something else.
  assert.is((await read("e1", "gzip", { 7: "f" })).state, plain.state);
  assert.equal(made, ["a1", "e1"]);
});

Pages("are made once for viewers who ask while the page is compressed", async () => {
  const { pageFor, made, content } = open();
  const bytes = Buffer.from("slow ".repeat(100_000));
  const read = (token: string) => pageFor(viewer(token), "gzip", async () => ({ ...content(token), bytes }));
  const first = read("a1");
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  const others = [read("b1"), read("c1")];
  const [page] = await Promise.all([first, ...others]);
  assert.is(await others[0], page);
  assert.equal(made, ["a1"]);
});

Pages("are not compressed where they are short", async () => {
  const { pageFor, made } = open();
  for (const token of ["a1", "b1"]) {
    const { form, bytes } = await pageFor(viewer(token), "gzip");
    assert.equal([form, bytes.toString()], ["identity", "for a1"]);
  }
  assert.equal(made, ["a1"]);
});

Pages.run();
