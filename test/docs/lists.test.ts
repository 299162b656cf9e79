import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { pictureOf } from "../../bench/picture.ts";
import { isStarted } from "../../compile/plan.ts";
import * as identity from "../../services/platform/connect/identity.ts";
import { isLong } from "../support/long.ts";
import { suite } from "../support/suite.ts";

const Lists = suite("docs: lists");
const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const filesOf = (path: string) => readdirSync(join(root, path), { recursive: true, encoding: "utf8" });
/** Fails with the items for which it is not true. */
function every<T>(items: readonly T[], isTrue: (item: T) => boolean): void {
  const wrong = items.filter((item) => !isTrue(item));
  assert.equal(wrong, []);
}

Lists("of services/platform/README.md name every file, or its folder", () => {
  const text = read("services/platform/README.md");
  const files = filesOf("services/platform").filter((file) => file.endsWith(".ts"));
  assert.ok(files.length > 50);
  const isNamed = (file: string) => text.includes(`\`${file}\``) || text.includes(`\`${file.split("/")[0]}/\``);
  every(files, isNamed);
});

Lists("of figures are drawn as they are: docs/bench.svg is of the newest table in bench/RESULTS.md", () => {
  const picture = pictureOf(read("bench/RESULTS.md"));
  assert.ok(picture.includes("timeline of 20"));
  assert.is(read("docs/bench.svg"), picture);
});

Lists("of gateway/reads/README.md name every file", () => {
  const text = read("gateway/reads/README.md");
  const files = filesOf("gateway/reads").filter((file) => file.endsWith(".ts"));
  assert.ok(files.length > 7);
  every(files, (file) => text.includes(file.split("/").at(-1) as string));
});

Lists("of the steps in docs/requests.md name files that are there, and functions that they have", () => {
  const sources = ["gateway", "services"].flatMap((folder) => filesOf(folder).map((file) => join(folder, file)));
  const named = [...read("docs/requests.md").matchAll(/`([\w./-]+\.ts)`|`(\w+)`/g)];
  const files = named.flatMap(([, file = ""]) => file || []);
  assert.ok(files.length > 12);
  const isThere = (file: string) => sources.some((source) => source.endsWith(`/${file}`) || source === file);
  every(files, isThere);
  const texts = sources.filter((source) => source.endsWith(".ts")).map(read);
  const functions = named.flatMap(([, , name = ""]) => (/^[a-z]+[A-Z]\w*$/.test(name) ? name : []));
  assert.ok(functions.length > 0);
  every(functions, (name) => texts.some((text) => new RegExp(`\\b${name}\\(`).test(text)));
});

Lists("and pages are short enough to be read", () => {
  const linesOf = (file: string) => read(file).split("\n").length - 1;
  const readmes = listFiles().filter((file) => /^(?!docs).+\/README\.md$/.test(file));
  assert.ok(readmes.length > 15);
  const most = {
    "docs/requests.md": 60,
    "docs/design.md": 80,
    ...Object.fromEntries(readmes.map((file) => [file, 40])),
  };
  every(Object.entries(most), ([file, lines]) => linesOf(file) <= lines);
  const terms = read("docs/terms.md").match(/^\| (?!Term )/gm) ?? [];
  assert.ok(terms.length > 20 && terms.length <= 30, `${terms.length}`);
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
    every(tables, (table) => row.includes(`\`${table}\``));
  });
}

Lists("of gateway/README.md name every header between gateway and services", () => {
  const headers = Object.values(identity).filter((value) => typeof value === "string" && value.startsWith("roost-"));
  assert.ok(headers.length > 5);
  const text = read("gateway/README.md");
  every(headers, (header) => text.includes(`\`${header as string}\``));
});

const decisions = filesOf("docs/decisions").filter((file) => file !== "README.md");

Lists("of decisions are short enough to be read: at most 18, half a page each, with the reason and the cost", () => {
  assert.ok(decisions.length > 10 && decisions.length <= 18, `${decisions.length}`);
  const isShort = (text: string) => text.split("\n").length <= 42;
  const says = (text: string) => ["question", "choice", "cost"].every((part) => text.includes(`\n**The ${part}.** `));
  const textOfDecision = (file: string) => read(`docs/decisions/${file}`);
  every(decisions, (file) => isShort(textOfDecision(file)) && says(textOfDecision(file)));
});

Lists("of docs/decisions/README.md name every decision once, by its title", () => {
  const links = [...read("docs/decisions/README.md").matchAll(/^- \[(.+)\]\((.+)\): /gm)];
  const listed = links.map(([, title = "", file = ""]) => `${file}: # ${title}`);
  const expected = decisions.map((file) => `${file}: ${read(`docs/decisions/${file}`).split("\n")[0]}`);
  assert.equal(new Set(listed), new Set(expected));
  assert.is(listed.length, decisions.length);
});

Lists.run();

const Tasks = suite("docs: tasks in CONTRIBUTING.md");
const rows = readRows(read("CONTRIBUTING.md"));

Tasks("are at least twenty, each listed once with one existing, tracked file", () => {
  assert.ok(rows.length >= 20, `${rows.length}`);
  assert.is(new Set(rows.map(({ task }) => task)).size, rows.length);
  const tracked = new Set(execFileSync("git", ["ls-files"], { cwd: root }).toString().split("\n"));
  const isThere = (file: string) => tracked.has(file) && existsSync(join(root, file));
  every(rows, ({ files }) => files.length === 1 && files.every(isThere));
});

Tasks.run();

/** The rows of the table with the heading "I want to". */
function readRows(text: string): { task: string; files: string[] }[] {
  const [, table = ""] = /^\| I want to \| Go to \|\n\|---\|---\|\n((?:\|.*\n)+)/m.exec(text) ?? [];
  return [...table.matchAll(/^\| (.+) \| (.+) \|$/gm)].map(([, task = "", places = ""]) => ({
    task,
    files: places.split(", ").map((place) => place.replace(/^`(.+)`$/, "$1")),
  }));
}

const Citations = suite("docs: citations");
const pages = { contract: "docs/contract.md", design: "docs/design.md" } as const;

/** Every text file of the project that can cite something. */
const files = listFiles().filter(
  (file) => file !== "test/docs/lists.test.ts" && /\.(?:ts|js|md|proto|sql|cases|yml|html|css)$/.test(file),
);

Citations("of the contract and the design name an existing section or rule", () => {
  const known = { contract: placesOf(pages.contract), design: placesOf(pages.design) };
  const found: string[] = [];
  const broken: string[] = [];
  for (const file of files) {
    for (const [text, page, section] of read(file).matchAll(citation)) {
      found.push(text);
      if (!known[(page as string).toLowerCase() as keyof typeof known].has(section as string)) {
        broken.push(`${file}: ${text}`);
      }
    }
  }
  assert.equal(broken, []);
  assert.ok(found.length > 60, `${found.length}`);
});

Citations("by a path name an existing file", () => {
  const broken = files.flatMap((file) => pathsIn(file).filter((path) => !existsSync(join(root, path))));
  assert.equal(broken, []);
});

Citations.run();

/** `contract §2.4`, `design §5`. */
const citation = /\b(contract|design) §(\d+(?:\.\d+)?)/gi;

/** The sections and the numbered rules of a page. */
function placesOf(page: string): Set<string> {
  const text = read(page);
  const sections = [...text.matchAll(/^## (\d+)\. /gm)].map(([, number]) => number as string);
  const rules = [...text.matchAll(/^- \*\*(\d+\.\d+)\*\* /gm)].map(([, number]) => number as string);
  return new Set([...sections, ...rules]);
}

/** The files that a file links to (Markdown) or names as `docs/….md`, relative to the project's root. */
function pathsIn(file: string): string[] {
  const text = read(file);
  const named = [...text.matchAll(/\bdocs\/(?:decisions\/)?[\w-]+\.md\b/g)].map(([path]) => path);
  if (!file.endsWith(".md")) return named;
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)\s#]+)/g)].map(([, path]) => path as string);
  return [...named.filter((path) => path.startsWith("docs/")), ...links.map((path) => join(dirname(file), path))];
}

function listFiles(): string[] {
  const output = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root });
  return `${output}`.split("\n").filter((file) => file !== "" && existsSync(join(root, file)));
}

const Commands = suite("the commands");
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

/** Scripts that run a tool of others, which has its own help. */
const ofOthers = ["generate", "release-contract", "format"];
const commands = Object.keys(scripts).filter((name) => !ofOthers.includes(name));
// Loading these takes long, so they are tested in the long form only.
const slow = ["consistency", "faults", "fuzz"];
const tested = commands.filter((name) => isLong || !slow.includes(name));

/** A misspelled option of a command, and what is meant; where none is here, it is --help. */
const misspelled: Record<string, [wrong: string, meant: string]> = {
  start: ["--emtpy", "--empty"],
  import: ["--dry-rum", "--dry-run"],
  verify: ["--repiar", "--repair"],
  account: ["--serch", "--search"],
  restore: ["--relpace", "--replace"],
  shards: ["--block-write", "--block-writes"],
  bench: ["--round", "--rounds"],
  consistency: ["--raeds", "--reads"],
  faults: ["--time", "--times"],
  test: ["--lnog", "--long"],
};
const misspelledOf = (name: string) => misspelled[name] ?? ["--hepl", "--help"];

/** Runs a script as npm does, but without compiling anything first. */
function run(name: string, ...words: string[]) {
  const [, main = "", command] = /(\S+\.ts)(?: (\w+))?$/.exec(scripts[name] ?? "") ?? [];
  const options = isStarted(main) ? process.execArgv : ["--import", "tsx"];
  const given = [...options, main, ...(command === undefined ? [] : [command]), ...words];
  return new Promise<{ name: string; code: number; output: string; errors: string }>((resolve) => {
    execFile(process.execPath, given, { cwd: root }, (error, output, errors) =>
      resolve({ name, code: error === null ? 0 : Number(error.code), output, errors }),
    );
  });
}

Commands("print their usage for --help, without a database or a running system", async () => {
  for (const { name, code, output, errors } of await Promise.all(tested.map((name) => run(name, "--help")))) {
    assert.equal([code, errors], [0, ""], name);
    assert.match(output, new RegExp(`^usage: npm run (?:backup|${name}).*\\n|^Usage: npm (?:run )?${name}.*\\n`, "i"));
  }
});

Commands("refuse a misspelled option with what is meant and their usage, without a stack trace", async () => {
  const ended = await Promise.all(tested.map((name) => run(name, misspelledOf(name)[0])));
  for (const { name, code, output, errors } of ended) {
    const [wrong, meant] = misspelledOf(name);
    assert.equal([code, output], [2, ""], name);
    const message = `^Unknown option '${wrong}'\\. Did you mean ${meant}\\?\\n\\nusage: npm (?:run )?(?:backup|${name})`;
    assert.match(errors, new RegExp(message, "i"));
    assert.not.match(errors, "    at ");
  }
});

Commands("refuse an option like none that they have", async () => {
  const { code, errors } = await run("contract", "--no-such-option");
  assert.is(code, 2);
  assert.match(errors, /'--no-such-option'[^]*\nusage: npm run contract [^]*\n {2}npm run contract/);
});

Commands.run();
