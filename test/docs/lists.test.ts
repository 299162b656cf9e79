import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { pictureOf } from "../../bench/picture.ts";
import { isStarted } from "../../compile/plan.ts";
import * as identity from "../../services/platform/connect/identity.ts";
import { isLong } from "../support/long.ts";
import { useSharedSystem } from "../support/shared-services.ts";
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

Lists("of figures are drawn as they are: docs/bench.svg is of the newest table in bench/RESULTS.md", () => {
  const picture = pictureOf(read("bench/RESULTS.md"));
  assert.ok(picture.includes("timeline of 20"));
  assert.is(read("docs/bench.svg"), picture);
});

Lists("of gateway/reads/README.md name every file", () => {
  const text = read("gateway/reads/README.md");
  const files = filesOf("gateway/reads").filter((file) => file.endsWith(".ts"));
  assert.ok(files.length > 7);
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

Lists("and pages are short enough to be read", () => {
  const linesOf = (file: string) => read(file).split("\n").length - 1;
  const readmes = listFiles().filter((file) => /^(?!docs).+\/README\.md$/.test(file));
  assert.ok(readmes.length > 15);
  const most = {
    "docs/requests.md": 60,
    "docs/design.md": 80,
    ...Object.fromEntries(readmes.map((file) => [file, 40])),
  };
  assert.equal(
    Object.entries(most).filter(([file, lines]) => linesOf(file) > lines),
    [],
  );
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

Lists("of decisions are short enough to be read: at most 18, half a page each, with the reason and the cost", () => {
  assert.ok(decisions.length > 10 && decisions.length <= 18, `${decisions.length}`);
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

const Tasks = suite("docs: tasks in CONTRIBUTING.md");
const rows = readRows(readFileSync(join(root, "CONTRIBUTING.md"), "utf8"));

Tasks("are at least twenty, each listed once", () => {
  assert.ok(rows.length >= 20, `${rows.length}`);
  assert.is(new Set(rows.map(({ task }) => task)).size, rows.length);
});

Tasks("name one existing, tracked file each", () => {
  const tracked = new Set(execFileSync("git", ["ls-files"], { cwd: root }).toString().split("\n"));
  const isThere = (file: string) => tracked.has(file) && existsSync(join(root, file));
  assert.equal(
    rows.filter(({ files }) => files.length !== 1 || !files.every(isThere)),
    [],
  );
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
    for (const [text, page, section] of textOf(file).matchAll(citation)) {
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

Citations("of unknown sections are detected", () => {
  const [, page, section] = [..."see contract §99.1".matchAll(citation)][0] as unknown as string[];
  assert.equal([page, section], ["contract", "99.1"]);
  assert.not.ok(placesOf(pages.contract).has("99.1"));
  assert.ok(placesOf(pages.contract).has("2.4") && placesOf(pages.design).has("5"));
});

Citations.run();

/** `contract §2.4`, `design §5`. */
const citation = /\b(contract|design) §(\d+(?:\.\d+)?)/gi;

/** The sections and the numbered rules of a page. */
function placesOf(page: string): Set<string> {
  const text = textOf(page);
  const sections = [...text.matchAll(/^## (\d+)\. /gm)].map(([, number]) => number as string);
  const rules = [...text.matchAll(/^- \*\*(\d+\.\d+)\*\* /gm)].map(([, number]) => number as string);
  return new Set([...sections, ...rules]);
}

/** The files that a file links to (Markdown) or names as `docs/….md`, relative to the project's root. */
function pathsIn(file: string): string[] {
  const text = textOf(file);
  const named = [...text.matchAll(/\bdocs\/(?:decisions\/)?[\w-]+\.md\b/g)].map(([path]) => path);
  if (!file.endsWith(".md")) return named;
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)\s#]+)/g)].map(([, path]) => path as string);
  return [...named.filter((path) => path.startsWith("docs/")), ...links.map((path) => join(dirname(file), path))];
}

function listFiles(): string[] {
  const output = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root });
  return output
    .toString()
    .split("\n")
    .filter((file) => file !== "" && existsSync(join(root, file)));
}

function textOf(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

const Commands = suite("the commands");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };

/** The scripts of our own, with a misspelled option of each and what is meant. */
const commands: Record<string, [wrong: string, meant: string]> = {
  start: ["--emtpy", "--empty"],
  import: ["--dry-rum", "--dry-run"],
  export: ["--hlep", "--help"],
  verify: ["--repiar", "--repair"],
  account: ["--serch", "--search"],
  backup: ["--hepl", "--help"],
  restore: ["--relpace", "--replace"],
  shards: ["--block-write", "--block-writes"],
  reindex: ["--hepl", "--help"],
  bench: ["--round", "--rounds"],
  consistency: ["--raeds", "--reads"],
  contract: ["--hepl", "--help"],
  faults: ["--time", "--times"],
  fuzz: ["--hepl", "--help"],
  test: ["--lnog", "--long"],
  check: ["--hepl", "--help"],
  settings: ["--hepl", "--help"],
  "weighted-text": ["--hepl", "--help"],
};
// Loading these takes long, so they are tested in the long form only.
const slow = ["consistency", "faults", "fuzz"];
const tested = Object.keys(commands).filter((name) => isLong || !slow.includes(name));

/** Scripts that run a tool of others, which has its own. */
const ofOthers = ["generate", "release-contract", "format"];

interface Ended {
  code: number;
  output: string;
  errors: string;
}

/** Runs a script as npm does, but without compiling anything first. */
function run(name: string, ...words: string[]): Promise<Ended> {
  const [, main = "", command] = /(\S+\.ts)(?: (\w+))?$/.exec(scripts[name] ?? "") ?? [];
  const options = isStarted(main) ? process.execArgv : ["--import", "tsx"];
  const given = [...options, main, ...(command === undefined ? [] : [command]), ...words];
  return new Promise((resolve) => {
    execFile(process.execPath, given, { cwd: root }, (error, output, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), output, errors }),
    );
  });
}

Commands("are all scripts but those that run a tool of others", () => {
  assert.equal(Object.keys(scripts).toSorted(), [...Object.keys(commands), ...ofOthers].toSorted());
});

Commands("print their usage for --help, without a database or a running system", async () => {
  const ended = await Promise.all(tested.map((name) => run(name, "--help")));
  for (const [index, { code, output, errors }] of ended.entries()) {
    const name = tested[index] as string;
    assert.equal([code, errors], [0, ""], name);
    assert.match(output, new RegExp(`^usage: npm run (?:backup|${name}).*\\n|^Usage: npm (?:run )?${name}.*\\n`, "i"));
  }
});

Commands("refuse a misspelled option with what is meant and their usage, without a stack trace", async () => {
  const ended = await Promise.all(tested.map((name) => run(name, commands[name]?.[0] as string)));
  for (const [index, { code, output, errors }] of ended.entries()) {
    const name = tested[index] as string;
    const [wrong, meant] = commands[name] as [string, string];
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

const Differences = suite("docs: JSON of the services and of the gateway");
const system = useSharedSystem(Differences);

const page = readFileSync(join(import.meta.dirname, "../../docs/internal-api.md"), "utf8");
const listed = [...page.matchAll(/^\| `(\{".*?\})`(.*?) \| (\w+).*? \| (\w+).*? \|$/gm)];

Differences("are listed", () => {
  assert.ok(listed.length >= 9);
});

for (const [, request = "", more = "", service, gateway] of listed) {
  // Further values of the row's field, and further requests.
  const values = [...more.matchAll(/`("[^`]*")`/g)].map(([, value = ""]) => request.replace(/:.*/, `:${value}}`));
  const others = [...more.matchAll(/`(\{[^`]*\})`/g)].map(([, other = ""]) => other);
  for (const given of [request, ...values, ...others]) {
    Differences(`are as listed: ${given}`, async () => {
      assert.equal(await refusals(given), [service === "refuses", gateway === "refuses"]);
    });
  }
}

Differences("do not concern a plain number, a quoted one and one with an empty fraction", async () => {
  for (const value of ["1", '"1"', "1.0"]) assert.equal(await refusals(`{"take":${value}}`), [false, false], value);
});

/** Whether a service, and the gateway, cannot read a request. What they can read has no user, or breaks a rule. */
async function refusals(request: string): Promise<[service: boolean, gateway: boolean]> {
  const [path, name] = operationOf(request);
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: request };
  const url = path.startsWith("account") ? system.accountUrl : system.socialUrl;
  const ofService = (await (await fetch(`${url}/${path}`, init)).json()) as { code?: string; details?: unknown };
  const reply = await fetch(`${system.url}/json/reply/${name}`, init);
  const { responseStatus } = (await reply.json()) as { responseStatus?: { errorCode?: string } };
  // What the protocol refuses has no detail.
  const isUnread = ofService.code === "invalid_argument" && ofService.details === undefined;
  return [isUnread, responseStatus?.errorCode === "SerializationException"];
}

function operationOf(request: string): [path: string, name: string] {
  if (request.includes("userIds")) return ["social.v1.SocialService/SocialUsers", "SocialUsers"];
  if (/autoLogin|userName/.test(request)) return ["account.v1.AccountService/Registration", "Registration"];
  return ["social.v1.SocialService/SocialTimelines", "SocialTimelines"];
}

Differences.run();
