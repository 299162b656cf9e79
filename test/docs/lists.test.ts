import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import * as identity from "../../services/platform/connect/identity.ts";
import { suite } from "../support/suite.ts";

const Lists = suite("docs: lists");
const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const filesOf = (path: string) => readdirSync(join(root, path), { recursive: true, encoding: "utf8" });

Lists("of services/platform/README.md name every file, or its folder", () => {
  const text = read("services/platform/README.md");
  const files = filesOf("services/platform").filter((file) => file.endsWith(".ts"));
  assert.ok(files.length > 50);
  const isNamed = (file: string) => text.includes(`\`${file}\``) || text.includes(`\`${file.split("/")[0]}/\``);
  assert.equal(
    files.filter((file) => !isNamed(file)),
    [],
  );
});

Lists("of gateway/reads/README.md name every file", () => {
  const text = read("gateway/reads/README.md");
  const files = filesOf("gateway/reads").filter((file) => file.endsWith(".ts"));
  assert.ok(files.length > 8);
  assert.equal(
    files.filter((file) => !text.includes(file.split("/").at(-1) as string)),
    [],
  );
});

Lists("of the steps in docs/requests.md name files that are there, and functions that they have", () => {
  const sources = ["gateway", "services"].flatMap((folder) => filesOf(folder).map((file) => join(folder, file)));
  const named = [...read("docs/requests.md").matchAll(/`([\w./-]+\.ts)`|`(\w+)`/g)];
  const files = named.flatMap(([, file = ""]) => file || []);
  assert.ok(files.length > 12);
  const isThere = (file: string) => sources.some((source) => source.endsWith(`/${file}`) || source === file);
  assert.equal(
    files.filter((file) => !isThere(file)),
    [],
  );
  const texts = sources.filter((source) => source.endsWith(".ts")).map(read);
  const functions = named.flatMap(([, , name = ""]) => (/^[a-z]+[A-Z]\w*$/.test(name) ? name : []));
  assert.ok(functions.length > 0);
  assert.equal(
    functions.filter((name) => !texts.some((text) => new RegExp(`\\b${name}\\(`).test(text))),
    [],
  );
});

for (const service of ["account", "social"]) {
  Lists(`of docs/design.md name every table of schema ${service}`, () => {
    const [row = ""] = new RegExp(`^\\| Postgres, schema \`${service}\` .*$`, "m").exec(read("docs/design.md")) ?? [];
    const folder = `services/${service}/migrations`;
    const statements = filesOf(folder).map((file) => read(join(folder, file)));
    const tablesIn = (pattern: RegExp) =>
      statements.flatMap((text) => [...text.matchAll(pattern)].map(([, table]) => table));
    const dropped = new Set(tablesIn(/drop table \w+\.(\w+)/g));
    const tables = tablesIn(/create table \w+\.(\w+)/g).filter((table) => !dropped.has(table));
    assert.ok(tables.length > 5);
    assert.equal(
      tables.filter((table) => !row.includes(`\`${table}\``)),
      [],
    );
  });
}

Lists("of gateway/README.md name every header between gateway and services", () => {
  const headers = Object.values(identity).filter((value) => typeof value === "string" && value.startsWith("roost-"));
  assert.ok(headers.length > 5);
  const text = read("gateway/README.md");
  assert.equal(
    headers.filter((header) => !text.includes(`\`${header as string}\``)),
    [],
  );
});

const decisions = filesOf("docs/decisions").filter((file) => file !== "README.md");

Lists("of decisions are short enough to be read: at most 19, half a page each, with the reason and the cost", () => {
  assert.ok(decisions.length > 10 && decisions.length <= 19, `${decisions.length}`);
  const isShort = (text: string) => text.split("\n").length <= 42;
  const says = (text: string) => ["question", "choice", "cost"].every((part) => text.includes(`\n**The ${part}.** `));
  const texts = decisions.map((file) => ({ file, text: read(`docs/decisions/${file}`) }));
  assert.equal(
    texts.flatMap(({ file, text }) => (isShort(text) && says(text) ? [] : file)),
    [],
  );
});

Lists("of docs/decisions/README.md name every decision once, by its title", () => {
  const links = [...read("docs/decisions/README.md").matchAll(/^- \[(.+)\]\((.+)\): /gm)];
  const listed = links.map(([, title = "", file = ""]) => `${file}: # ${title}`);
  const expected = decisions.map((file) => `${file}: ${read(`docs/decisions/${file}`).split("\n")[0]}`);
  assert.equal(new Set(listed), new Set(expected));
  assert.is(listed.length, decisions.length);
});

Lists.run();
