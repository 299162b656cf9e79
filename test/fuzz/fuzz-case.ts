/** A request of the HTTP fuzzer. */
export interface FuzzCase {
  method: string;
  /** The request target: path and query, ASCII. */
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer;
  /** Whether the body is sent in chunks instead of with a Content-Length. */
  chunked: boolean;
}

/** A received reply. */
export interface FuzzReply {
  status: number;
  /** Names in lower case; a header given twice is joined with a comma. */
  headers: Readonly<Record<string, string | undefined>>;
  body: Buffer;
}

/** A case as one line, for the report. */
export function describeCase({ method, target, headers, body, chunked }: FuzzCase): string {
  const text = body.length > 2_000 ? `${body.length} bytes` : JSON.stringify(body.toString("latin1"));
  return `${method} ${cut(target)} ${JSON.stringify(headers)} ${chunked ? "chunks of " : ""}${text}`;
}

function cut(text: string): string {
  return text.length > 2_000 ? `${text.slice(0, 200)}… (${text.length} characters)` : text;
}
