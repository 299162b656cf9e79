import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isTaken } from "./placeholders.ts";

/** A file of cases: shared steps, and the cases. */
export interface CaseFile {
  /** Steps that run once, before the cases; all cases see what they captured. */
  before: Step[];
  cases: Case[];
}

export interface Case {
  title: string;
  /** Why `npm test` skips the case; undefined when it does not. `npm run contract` runs it anyway. */
  open: string | undefined;
  steps: Step[];
}

/** A request and the reply that the contract asks for, both with placeholders. */
export interface Step {
  /** The number of its line in the file. */
  line: number;
  request: RequestTemplate;
  reply: ReplyTemplate;
}

export interface RequestTemplate {
  verb: string;
  target: string;
  headers: Header[];
  /** Undefined: no body and no Content-Length. With the verb RAW: the whole request. */
  body: string | undefined;
}

export interface ReplyTemplate {
  statuses: number[];
  headers: Header[];
  body: string;
}

export type Header = readonly [name: string, value: string];

/** Reads a file of cases; the README beside this file shows the format. Throws Error with the number of a wrong line. */
export function parseCaseFile(text: string): CaseFile {
  const [first, ...blocks] = splitBefore(numbered(text), "=== ") as [Line[], ...Line[][]];
  return { before: parseBlock(first).steps, cases: blocks.flatMap(parseCases) };
}

interface Line {
  text: string;
  number: number;
}

function numbered(text: string): Line[] {
  return text.split("\n").map((line, index) => ({ text: line, number: index + 1 }));
}

/** Splits lines before every line that begins with the mark; the first piece has the lines before all of them. */
function splitBefore(lines: Line[], mark: string): Line[][] {
  const pieces: Line[][] = [[]];
  for (const line of lines) {
    if (line.text.startsWith(mark)) pieces.push([]);
    pieces.at(-1)?.push(line);
  }
  return pieces;
}

/** The case of a block, or one for each row of its table. */
function parseCases([head, ...lines]: Line[]): Case[] {
  const title = (head as Line).text.slice(4).trim();
  return rowsOf(lines).map((row) => {
    const block = parseBlock(lines.map((line) => ({ ...line, text: fillRow(line.text, row) })));
    if (block.steps.length === 0) throw wrong((head as Line).number, "a case needs a step");
    return { title: fillRow(title, row), ...block };
  });
}

type Row = ReadonlyMap<string, string>;

function rowsOf(lines: Line[]): Row[] {
  const each = lines.find(({ text }) => text.startsWith("@each "));
  if (each === undefined) return [new Map()];
  const columns = each.text.slice(6).trim().split(/ +/);
  const taken = columns.find(isTaken);
  if (taken !== undefined) throw wrong(each.number, `${taken} is a reserved name`);
  const rows = lines.filter(({ text }) => text.startsWith("| "));
  if (rows.length === 0) throw wrong(each.number, "a table needs rows");
  return rows.map(({ text, number }) => {
    const cells = text.slice(2).split(" | ");
    if (cells.length !== columns.length) throw wrong(number, `a row of ${columns.length} cells is needed`);
    return new Map(columns.map((column, index) => [column, (cells[index] as string).trim()]));
  });
}

function fillRow(text: string, row: Row): string {
  return text.replace(/\{\{([a-z]+)\}\}/gi, (whole, name: string) => row.get(name) ?? whole);
}

function parseBlock(lines: Line[]): Pick<Case, "open" | "steps"> {
  const [notes, ...steps] = splitBefore(lines, ">>> ") as [Line[], ...Line[][]];
  const stray = notes.find(({ text }) => !/^(?:#|=== |@each |@open |\| |\s*$)/.test(text));
  if (stray !== undefined) throw wrong(stray.number, "neither a comment nor a part of a step");
  const open = notes.find(({ text }) => text.startsWith("@open "))?.text.slice(6);
  return { open, steps: steps.map(parseStep) };
}

function parseStep(lines: Line[]): Step {
  const [request, reply, ...more] = splitBefore(lines, "<<< ") as [Line[], Line[]?, ...Line[][]];
  const { text, number } = request[0] as Line;
  if (reply === undefined || more.length > 0) throw wrong(number, "a request needs one reply");
  const [, verb, target = ""] = /^>>> (\S+)(?: (.+))?$/.exec(text) ?? [];
  const statuses = /^<<< (\d{3}(?: or \d{3})*)$/.exec(reply[0]?.text ?? "")?.[1];
  if (verb === undefined || statuses === undefined) throw wrong(number, "a verb, or a status of three digits");
  const rest = request.slice(1);
  const { headers, body = "" } = parsePart(reply.slice(1));
  return {
    line: number,
    request: verb === "RAW" ? { verb, target, headers: [], body: rawText(rest) } : { verb, target, ...parsePart(rest) },
    reply: { statuses: statuses.split(" or ").map(Number), headers, body },
  };
}

/** All lines, each ended with CR LF. */
function rawText(lines: Line[]): string {
  return lines.map(({ text }) => `${text}\r\n`).join("");
}

function parsePart(lines: Line[]): Pick<RequestTemplate, "headers" | "body"> {
  const end = lines.findIndex(({ text }) => text === "");
  const heads = end === -1 ? lines : lines.slice(0, end);
  const headers = heads.map(({ text, number }): Header => {
    const colon = text.indexOf(":");
    if (colon < 1) throw wrong(number, "a header needs a colon");
    return [text.slice(0, colon), text.slice(colon + 1).trim()];
  });
  const isMultipart = headers.some(([, value]) => value.startsWith("multipart/"));
  const texts = lines.slice(heads.length).map(({ text }) => text);
  // The lines of a multipart form end with CR LF (RFC 7578).
  const body = texts.join(isMultipart ? "\r\n" : "\n").replace(/^[\r\n]+|[\r\n]+$/g, "");
  return { headers, body: body === "" ? undefined : isMultipart ? `${body}\r\n` : body };
}

function wrong(line: number, what: string): Error {
  return new Error(`line ${line}: ${what}`);
}

export interface Topic extends CaseFile {
  /** The section of the contract: `1 routes`. */
  section: string;
  name: string;
}

/** All cases, in the order of the contract's sections. Throws Error with file and line of a syntax error. */
export function loadCases(folder = join(import.meta.dirname, "cases")): Topic[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".cases"));
  return names
    .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || a.localeCompare(b))
    .map((file) => {
      const [section = "", name = ""] = file.replace(/\.cases$/, "").split(/[\\/]/);
      try {
        const cases = parseCaseFile(readFileSync(join(folder, file), "utf8"));
        return { section: section.replaceAll("-", " "), name, ...cases };
      } catch (error) {
        throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
      }
    });
}
