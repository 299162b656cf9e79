import { create } from "@bufbuild/protobuf";
import { Parser } from "htmlparser2";
import { type Entities, EntitiesSchema } from "../../proto/gen/social/v1/entities_pb.ts";
import { Refusal } from "../errors.ts";
import { maxDepth } from "../json/read-elements.ts";

/** A user whom a note mentions. */
export interface Mention {
  /** Such as "ann@social.example". */
  address: string;
  /** The actor's URL, which is the id at the origin; "" when it cannot be one. */
  originId: string;
  /** In lower case. */
  user: string;
  /** Of the address and of the actor's URL. */
  hosts: (string | undefined)[];
}

/** A text with its entities. */
export interface NoteText {
  text: string;
  entities: Entities;
}

/**
 * The text of a note: its warning first, then its HTML as text, then the choices of a poll. Links are written as their
 * address. A mention is written with its server, since its short name may be another user's here.
 * @throws Refusal for HTML that is nested too deeply.
 */
export function noteText(warning: string, html: string, choices: string[], mentions: Mention[]): NoteText {
  const written = new Writer();
  if (warning !== "") {
    written.text(`CW: ${warning}`);
    written.breakLines(2);
  }
  readHtml(html, {
    text: (text) => written.text(text),
    breakLines: (count) => written.breakLines(count),
    link: (link) => writeLink(written, link, mentions),
  });
  for (const choice of choices) {
    written.breakLines(1);
    written.text(`- ${choice}`);
  }
  return { text: written.whole(), entities: written.entities };
}

function writeLink(written: Writer, link: HtmlLink, mentions: Mention[]): void {
  const { entities } = written;
  const text = link.text.trim();
  const mention = link.classes.includes("mention") ? mentionFor(link, mentions) : undefined;
  if (/^#[^\s#]/u.test(text) && (link.classes.includes("hashtag") || link.classes.includes("mention"))) {
    entities.hashtags.push({ $typeName: "social.v1.Hashtag", text: text.slice(1), indices: written.mark(text) });
  } else if (mention) {
    const { address, originId } = mention;
    const indices = written.mark(`@${address}`);
    const names = { name: address, screenName: address };
    entities.userMentions.push({ $typeName: "social.v1.Mention", id: 0n, idStr: originId, ...names, indices });
  } else if (!/^https?:\/\/[^\s/]/i.test(link.href) || /\s/.test(link.href)) {
    written.text(link.text);
  } else {
    // A link with a text of its own keeps it, and its address follows.
    const isAddress = bare(text) === bare(link.href);
    if (!isAddress && text !== "") written.text(`${text} `);
    const displayUrl = isAddress ? link.visible.trim() : bare(link.href);
    const url = { url: link.href, expandedUrl: link.href, displayUrl };
    entities.urls.push({ $typeName: "social.v1.UrlEntity", ...url, indices: written.mark(link.href) });
  }
}

function bare(address: string): string {
  return address.replace(/^https?:\/\//i, "").replace(/\/$/, "");
}

/** Builds a text and counts its code points, the unit of the entities' positions (contract §3). */
class Writer {
  readonly entities = create(EntitiesSchema);
  #parts: string[] = [];
  #points = 0;
  #breaks = 0;
  #atLineStart = true;

  text(text: string): void {
    const said = this.#atLineStart ? text.replace(/^ +/, "") : text;
    if (said !== "") this.#write(said);
  }

  breakLines(count: 1 | 2): void {
    if (this.#points === 0) return;
    // Single line breaks add up; the end of one paragraph and the start of the next share theirs.
    this.#breaks = count === 1 ? Math.min(this.#breaks + 1, 2) : 2;
    this.#atLineStart = true;
  }

  /** Writes the text of an entity; returns its position. */
  mark(text: string): number[] {
    this.#write(text);
    const length = [...text].length;
    return [this.#points - length, this.#points];
  }

  whole(): string {
    return this.#parts.join("").trimEnd();
  }

  #write(text: string): void {
    const all = "\n".repeat(this.#breaks) + text;
    this.#parts.push(all);
    for (const _ of all) this.#points++;
    this.#breaks = 0;
    this.#atLineStart = false;
  }
}

/**
 * The mention that a link belongs to. The link leads to the actor's page and not to the actor's URL, so user and server are
 * compared; a server may give its users the name of another host.
 */
function mentionFor({ href, text }: HtmlLink, mentions: readonly Mention[]): Mention | undefined {
  const user = text.trim().replace(/^@/, "").split("@")[0]?.toLowerCase() ?? "";
  const host = hostOf(href);
  const isNamed = (mention: Mention) => mention.user === user;
  return (
    mentions.find((mention) => isNamed(mention) && host !== undefined && mention.hosts.includes(host)) ??
    mentions.find(isNamed)
  );
}

export function hostOf(url: unknown): string | undefined {
  return typeof url === "string" && URL.canParse(url) ? new URL(url).host || undefined : undefined;
}

/** A link in HTML, with its texts. */
interface HtmlLink {
  href: string;
  /** The names in its class attribute. */
  classes: string[];
  /** All of its text. */
  text: string;
  /** Its visible text: servers hide the scheme and the end of long addresses. */
  visible: string;
}

/** Receives the visible text of HTML, in order. */
interface TextSink {
  text(text: string): void;
  link(link: HtmlLink): void;
  /** Ends the line (1) or the paragraph (2), if more text follows. */
  breakLines(count: 1 | 2): void;
}

/**
 * Reads the visible text of HTML: paragraphs and lines, entities decoded, without scripts and styles.
 * @throws Refusal when elements are nested too deeply.
 */
function readHtml(html: string, sink: TextSink): void {
  const open: { name: string; classes: string[] }[] = [];
  let link: HtmlLink | undefined;
  const inside = (test: (element: (typeof open)[number]) => boolean) => open.some(test);
  const say = (text: string) => {
    if (inside(({ name }) => unread.has(name))) return;
    const plain = inside(({ name }) => name === "pre") ? text : text.replace(/[\t\n\r]+/g, " ");
    if (link === undefined) return sink.text(plain);
    link.text += plain;
    if (!inside(({ classes }) => classes.includes("invisible"))) link.visible += plain;
  };
  const endLink = () => {
    if (link !== undefined) sink.link(link);
    link = undefined;
  };
  const parser = new Parser({
    onopentag(name, { class: classes = "", href = "" }) {
      if (open.length === maxDepth) throw new Refusal(`its HTML is nested more than ${maxDepth} deep`);
      open.push({ name, classes: classes.split(/\s+/) });
      if (name === "a") {
        endLink();
        link = { href, classes: classes.split(/\s+/), text: "", visible: "" };
      } else if (name === "br") {
        if (link === undefined) sink.breakLines(1);
      } else if (name === "li") {
        sink.breakLines(1);
        sink.text("- ");
      } else if (paragraphs.has(name)) sink.breakLines(2);
    },
    ontext: say,
    onclosetag(name) {
      const classes = open.pop()?.classes;
      if (name === "a") endLink();
      else if (link !== undefined && classes?.includes("ellipsis")) link.visible += "…";
      else if (paragraphs.has(name)) sink.breakLines(2);
    },
  });
  parser.end(html);
  endLink();
}

const paragraphs = new Set(["p", "div", "blockquote", "ul", "ol", "pre", "h1", "h2", "h3", "h4", "h5", "h6"]);
const unread = new Set(["script", "style", "template", "title", "textarea", "noscript", "iframe"]);
