import { isTaken, kinds, type Piece, piecesOf, type Scope } from "./placeholders.ts";

/** The result of a comparison of a text with a template: the captures, or the place of the first difference. */
export type Match = { captured: Record<string, string> } | { differsAt: number; wanted: string };

/**
 * Compares a whole text with a template. `{{id as ann}}` captures; the same name further on in the template means the same text.
 * Throws Error for an unknown placeholder.
 */
export function match(template: string, text: string, scope: Scope): Match {
  const parts = sources(piecesOf(withBackReferences(template), scope));
  const found = new RegExp(`^${parts.join("")}$`).exec(text);
  if (found !== null) return { captured: { ...found.groups } };
  return { differsAt: commonLength(parts, text), wanted: describe(template, scope) };
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
function describe(template: string, scope: Scope): string {
  const pieces = piecesOf(withBackReferences(template), scope);
  return pieces.map((piece) => (typeof piece === "string" ? piece : `{{${labelOf(piece)}}}`)).join("");
}

function labelOf({ kind, name }: Exclude<Piece, string>): string {
  if (name === undefined) return kind;
  if (kind === "without") return `${kind} ${name}`;
  return name.startsWith("again:") ? name.slice(6) : `${kind} as ${name}`;
}
