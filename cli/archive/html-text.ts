import { Parser } from "htmlparser2";
import { Refusal } from "../errors.ts";
import { maxDepth } from "../json/read-elements.ts";

/** A link in HTML, with its texts. */
export interface HtmlLink {
  href: string;
  /** The names in its class attribute. */
  classes: string[];
  /** All of its text. */
  text: string;
  /** Its visible text: servers hide the scheme and the end of long addresses. */
  visible: string;
}

/** Receives the visible text of HTML, in order. */
export interface TextSink {
  text(text: string): void;
  link(link: HtmlLink): void;
  /** Ends the line (1) or the paragraph (2), if more text follows. */
  breakLines(count: 1 | 2): void;
}

/**
 * Reads the visible text of HTML: paragraphs and lines, entities decoded, without scripts and styles.
 * @throws Refusal when elements are nested too deeply.
 */
export function readHtml(html: string, sink: TextSink): void {
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
