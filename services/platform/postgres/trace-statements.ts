import type { Pool } from "pg";
import { currentSpan, withSpan } from "../tracing/span.ts";

/**
 * Wraps `query` so that each statement inside a span gets a span of its own. A span holds the statement's text with its `$1`, and
 * no values. A call with a callback gets none here: only copyRows makes such calls, in a span of its own.
 */
export function traceStatements(query: Pool["query"]): Pool["query"] {
  const traced = (statement: unknown, ...rest: unknown[]): unknown => {
    const run = () => query(statement as string, ...(rest as [])) as unknown;
    const cause = currentSpan();
    if (cause === undefined || typeof rest.at(-1) === "function") return run();
    const { name, text } = typeof statement === "string" ? { name: undefined, text: statement } : (statement as Named);
    const attributes = { "db.system.name": "postgresql", "db.query.text": text };
    const span = cause.child(name ?? text.split(/\s/, 1)[0] ?? "", attributes);
    return withSpan(span, codeOf, run as () => Promise<unknown>);
  };
  return traced as Pool["query"];
}

interface Named {
  name?: string;
  text: string;
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? (error as Error).name;
}
