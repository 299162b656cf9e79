/** Text that is HTML already. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Part[];

/** A template whose values are escaped, for content and for quoted attributes; Html stays as it is, lists are joined. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(textOf)));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(textOf).join("");
  return `${part}`.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
}
