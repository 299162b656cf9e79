import type { Header, ReplyTemplate } from "./case-files.ts";
import { isTaken, kinds, type Piece, piecesOf, type Scope } from "./placeholders.ts";

export interface Verdict {
  /** The differences between the reply and its template; empty when there are none. */
  differences: string[];
  captured: Record<string, string>;
}

/**
 * Compares a reply with its template: the status, each header of the template, and the whole body. A header line must match one
 * header of that name; with the value `{{absent}}` there must be none.
 */
export function checkReply(wanted: ReplyTemplate, reply: Reply, scope: Scope): Verdict {
  const verdict: Verdict = { differences: [], captured: {} };
  const known = () => new Map([...scope, ...Object.entries(verdict.captured)]);
  if (!wanted.statuses.includes(reply.status)) {
    verdict.differences.push(`status\n  expected ${wanted.statuses.join(" or ")}\n  received ${reply.status}`);
  }
  for (const [name, value] of wanted.headers) {
    const values = reply.headers.filter(([given]) => given === name.toLowerCase()).map(([, given]) => given);
    add(verdict, checkHeader(name, value, values, known()));
  }
  add(verdict, checkText("body", wanted.body, reply.body, known()));
  return verdict;
}

type Outcome = Record<string, string> | string;

function add(verdict: Verdict, outcome: Outcome): void {
  if (typeof outcome === "string") verdict.differences.push(outcome);
  else Object.assign(verdict.captured, outcome);
}

function checkHeader(name: string, wanted: string, values: string[], scope: Scope): Outcome {
  if (wanted === "{{absent}}")
    return values.length === 0 ? {} : `header ${name}\n  expected none\n  received ${values}`;
  const outcomes = values.map((value) => checkText(`header ${name}`, wanted, value, scope));
  return (
    outcomes.find((outcome) => typeof outcome !== "string") ??
    outcomes[0] ??
    `header ${name}\n  expected ${wanted}\n  received none`
  );
}

/**
 * Compares a whole text with a template. `{{id as ann}}` captures; the same name further on in the template means the same text.
 * Throws Error for an unknown placeholder.
 */
function checkText(what: string, wanted: string, text: string, scope: Scope): Outcome {
  const pieces = piecesOf(withBackReferences(wanted), scope);
  const parts = sources(pieces);
  const found = new RegExp(`^${parts.join("")}$`).exec(text);
  if (found !== null) return { ...found.groups };
  const differsAt = commonLength(parts, text);
  return `${what}, from character ${differsAt} on\n  expected ${cut(describe(pieces), 0)}\n  received ${cut(text, differsAt)}`;
}

/** Marks uses of a name that the template itself captures before. */
function withBackReferences(template: string): string {
  const names = [...template.matchAll(/\{\{\w+ as (\w+)\}\}/g)].map(([, name]) => name as string);
  return names.reduce((text, name) => text.replaceAll(`{{${name}}}`, `{{any as again:${name}}}`), template);
}

function sources(pieces: Piece[]): string[] {
  return pieces.flatMap((piece) => {
    // One part for each character: the longest beginning that matches shows where a text differs.
    if (typeof piece === "string") return Array.from(piece, escape);
    const { kind, name } = piece;
    if (kind === "without") return `(?:(?!${Array.from(name as string, escape).join("")})[^])*?`;
    if (name?.startsWith("again:")) return `\\k<${name.slice(6)}>`;
    if (name !== undefined && isTaken(name)) throw new Error(`${name} is a reserved name`);
    return name === undefined ? (kinds[kind] as string) : `(?<${name}>${kinds[kind]})`;
  });
}

function escape(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
}

/** Number of parts above which the place of a difference is not searched for, since that takes too long. */
const maxParts = 3_000;

function commonLength(parts: string[], text: string): number {
  if (parts.length > maxParts) return 0;
  const nested = `${parts.map((part) => `(?:${part}`).join("")}${")?".repeat(parts.length)}`;
  return new RegExp(`^${nested}`).exec(text)?.[0].length ?? 0;
}

/** The template with known values filled in, for messages. */
function describe(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : `{{${labelOf(piece)}}}`)).join("");
}

function labelOf({ kind, name }: Exclude<Piece, string>): string {
  if (name === undefined) return kind;
  if (kind === "without") return `${kind} ${name}`;
  return name.startsWith("again:") ? name.slice(6) : `${kind} as ${name}`;
}

/** The part of a long text around this place. */
function cut(text: string, place: number): string {
  const start = text.length <= 1_200 || place < 300 ? 0 : place - 300;
  const piece = text.slice(start, start + 1_200);
  return `${start > 0 ? "…" : ""}${piece}${start + 1_200 < text.length ? "…" : ""}`;
}

interface Reply {
  status: number;
  /** Names in lower case. */
  headers: Header[];
  body: string;
}

/**
 * Parses the first final reply (RFC 9112) in what a server sent. Everything after its headers is its body, so that superfluous bytes
 * are seen. Throws Error when it is truncated, longer than announced, or not UTF-8.
 */
export function parseReply(received: Buffer, isHead: boolean): Reply {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) throw new Error(`no reply: ${JSON.stringify(received.toString("latin1").slice(0, 200))}`);
  const [first = "", ...lines] = received.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
  const rest = received.subarray(end + 4);
  if (status >= 100 && status < 200) return parseReply(rest, isHead);
  const headers = lines.map((line): Header => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status, headers, body: decode(bodyOf(rest, headers, isHead)) };
}

function bodyOf(rest: Buffer, headers: Header[], isHead: boolean): Buffer {
  const header = (wanted: string) => headers.find(([name]) => name === wanted)?.[1];
  if (isHead) return rest;
  if (/chunked/i.test(header("transfer-encoding") ?? "")) return unchunk(rest);
  const length = header("content-length");
  if (length !== undefined && Number(length) !== rest.length) {
    throw new Error(`a body of ${length} bytes was announced, ${rest.length} came`);
  }
  return rest;
}

function unchunk(rest: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = rest.indexOf("\r\n", at);
    const size = Number.parseInt(rest.subarray(at, end).toString("latin1"), 16);
    if (end === -1 || Number.isNaN(size)) throw new Error("a chunk is cut off");
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(rest.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

function decode(bytes: Buffer): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
