import type { Entry } from "./entry.ts";
import { duration, moment } from "./moment.ts";
import { seeded } from "./seeded.ts";

/**
 * Reads the pages of the chronicle as of `now`. One line is one status:
 *
 *     [when] author @place ×reposts &label: text
 *       [+9m] author: an answer to the line above it that is indented less, nine minutes after that
 *     [when] author: RT &label
 *
 * Place, reposts and label may be left out; "⏎" in a text is a line break. An answer to somebody else begins with that
 * one's @name, which is not written down.
 * @throws naming the line that cannot be read.
 */
export function readChronicle(pages: readonly string[], now: Date): Entry[] {
  const labels = new Map<string, Entry>();
  const entries = pages.flatMap((page) => readPage(page, now, labels));
  for (const entry of entries) {
    const [, label] = /^RT &(\w+)$/.exec(entry.markup) ?? [];
    if (label === undefined) continue;
    entry.repeats = labels.get(label);
    if (entry.repeats === undefined) throw new Error(`No line is labelled &${label}`);
  }
  return entries;
}

function readPage(page: string, now: Date, labels: Map<string, Entry>): Entry[] {
  const thread: Entry[] = [];
  return linesOf(page).map((line) => {
    const [, indent, when, head, text] = /^( *)\[([^\]]+)\] ([^:]+): (\S.*)$/u.exec(line) ?? [];
    if (indent === undefined || when === undefined || head === undefined || text === undefined) throw unreadable(line);
    const depth = indent.length / 2;
    const answers = depth === 0 ? undefined : thread[depth - 1];
    // Only an answer may be dated from another line, and every answer is.
    if (!Number.isInteger(depth) || when.startsWith("+") !== (answers !== undefined)) throw unreadable(line);
    const [author = "", ...marks] = head.split(" ");
    const entry: Entry = {
      author,
      at: timeOf(when, answers, text, now),
      markup: addressed(text.replaceAll("⏎", "\n"), author, answers),
      place: markOf("@", marks),
      reposts: Number(markOf("×", marks) ?? 0),
      answers,
    };
    const label = markOf("&", marks);
    if (label !== undefined) labels.set(label, entry);
    thread.splice(depth, thread.length, entry);
    return entry;
  });
}

function linesOf(page: string): string[] {
  return page.split("\n").filter((line) => line.trim() !== "");
}

function unreadable(line: string): Error {
  return new Error(`Unreadable line of the chronicle: ${line}`);
}

// Nobody writes on the full minute, or at full hours ago. What counts from now moves back, never into the future.
function timeOf(when: string, answers: Entry | undefined, text: string, now: Date): number {
  const part = Math.floor(seeded(text)() * (when.endsWith("h") ? 3_600_000 : 60_000));
  if (answers !== undefined) return answers.at + duration(when.slice(1)) + part;
  const at = moment(when, now);
  return /^\d+[mh]$/.test(when) ? at - part : at + part;
}

function addressed(text: string, author: string, answers: Entry | undefined): string {
  return answers === undefined || answers.author === author ? text : `@${answers.author} ${text}`;
}

function markOf(sign: string, marks: readonly string[]): string | undefined {
  return marks.find((mark) => mark.startsWith(sign))?.slice(sign.length);
}
