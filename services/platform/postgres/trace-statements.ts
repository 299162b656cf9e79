import { currentSpan, withSpan } from "../tracing/span.ts";
import type { Db } from "./pool.ts";

/**
 * The same statements, each with a span of its own when it is asked for inside one. A statement's text says what it does
 * with `$1`; values are not told. Callbacks, which our code does not use, get no span.
 */
export function traceStatements(query: Db["query"]): Db["query"] {
  const traced = (statement: unknown, ...rest: unknown[]): unknown => {
    const run = () => query(statement as string, ...(rest as [])) as unknown;
    const cause = currentSpan();
    if (cause === undefined || typeof rest.at(-1) === "function") return run();
    const { name, text } = typeof statement === "string" ? { name: undefined, text: statement } : (statement as Named);
    const attributes = { "db.system.name": "postgresql", "db.query.text": text };
    const span = cause.child(name ?? text.split(/\s/, 1)[0] ?? "", "client", attributes);
    return withSpan(span, codeOf, run as () => Promise<unknown>);
  };
  return traced as Db["query"];
}

interface Named {
  name?: string;
  text: string;
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? (error as Error).name;
}
