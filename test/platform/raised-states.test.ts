import * as assert from "uvu/assert";
import { leasedValuesSuite } from "./leased-values-suite.ts";

const { test, redis, values, run } = await leasedValuesSuite("raised states");

const minute = 60_000;
let keys = 0;

/** A key that holds a value. */
async function keyWith(value: string): Promise<string> {
  const key = `{raised${keys++}}`;
  await fill(key, await lease(key), value);
  return key;
}

async function lease(key: string): Promise<string> {
  return (await values.lease([key], minute))[0] ?? "none";
}

const fill = (key: string, lease: string, value: string) => values.fill([{ key, lease, value }]);
const raise = (key: string, state: string) => values.raise([{ key, state }]);
const read = async (key: string) => (await values.read([key]))[0];

const [old, content, counters, both] = ["a.9.1.e", "a.z.1.e", "a.9.z.e", "a.z.10.e"];

test("replace an older one with its remaining lifetime, and no newer one", async () => {
  for (const newer of [content, counters, both]) {
    const key = await keyWith(`tick ${old}`);
    await raise(key, newer);
    assert.is(await read(key), `tick ${newer}`);
    await raise(key, old);
    assert.is(await read(key), `tick ${newer}`);
    const left = Number((await redis.send(`PTTL ${key}`)).slice(1));
    assert.ok(left > 0 && left <= minute, `${left} ms`);
  }
});

test("are not stored where no token is stored", async () => {
  const key = await keyWith(old);
  await values.drop([key]);
  await raise(key, content);
  assert.is(await read(key), undefined);
  assert.is.not(await lease(key), "none");
});

test("are stored by a later fill of a valid lease instead of the older state", async () => {
  for (const isHeld of [true, false]) {
    const key = await keyWith(old);
    if (!isHeld) await values.drop([key]);
    const holder = await lease(key);
    await raise(key, counters);
    await raise(key, old);
    await fill(key, holder, `tick ${old}`);
    assert.is(await read(key), `tick ${counters}`);
  }
});

test("are replaced by a newer state of the lease's holder", async () => {
  const key = await keyWith(old);
  const holder = await lease(key);
  await raise(key, content);
  await fill(key, holder, both);
  assert.is(await read(key), both);
});

test("remove the token when it is unknown which state is newer", async () => {
  for (const other of ["b.9.1.e", "b.a.1.e", "b.8.1.e", "a.9.1.f", "a.a.1.f", "a.8.1.f", "a.a.0.e", "nobody"]) {
    const key = await keyWith(old);
    const holder = await lease(key);
    await raise(key, other);
    await fill(key, holder, old);
    assert.is(await read(key), undefined, other);
    const filled = await keyWith(old);
    await fill(filled, await lease(filled), other);
    assert.is(await read(filled), undefined, other);
  }
});

test("remove a token of no user where they are of no user as well", async () => {
  const key = await keyWith("tick nobody");
  await raise(key, "unknown");
  assert.is(await read(key), undefined);
});

test("end a lease when it is unknown whether they are newer than what is raised or filled under it", async () => {
  for (const other of ["b.9.1.e", "b.b.1.e", "a.b.1.f", "a.8.1.f", "nobody"]) {
    const stored = await keyWith(old);
    const holder = await lease(stored);
    await raise(stored, content);
    await fill(stored, holder, other);
    assert.is(await read(stored), undefined, other);
    await values.drop([stored]);
    const later = await lease(stored);
    await raise(stored, old);
    await raise(stored, other);
    await fill(stored, later, old);
    assert.is(await read(stored), undefined, other);
  }
});

test("are raised for each of several keys", async () => {
  const [one, two] = [await keyWith(old), await keyWith(old)];
  await values.raise([
    { key: one, state: content },
    { key: two, state: counters },
  ]);
  assert.equal(await values.read([one, two]), [content, counters]);
});

test("are not stored again after a drop", async () => {
  const key = await keyWith(old);
  const holder = await lease(key);
  await raise(key, content);
  await values.drop([key]);
  await fill(key, holder, content);
  assert.is(await read(key), undefined);
});

run();
