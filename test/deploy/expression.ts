/** The metrics that a PromQL expression queries, in their order. */
export function metricsIn(expression: string): string[] {
  const plain = withoutTexts(expression)
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, "")
    .replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, "")
    .replace(/\b(?:and|or|unless)\b/g, "");
  // A name before a parenthesis is a function, one after a digit part of a number.
  return [...plain.matchAll(/(?<![\w.])[a-zA-Z_:][\w:]*\b(?!\s*\()/g)].map(([name]) => name);
}

/** The labels by which it selects or groups. */
export function labelsIn(expression: string): string[] {
  const plain = withoutTexts(expression);
  const grouping = [...plain.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim()),
  );
  const selecting = [...plain.matchAll(/\{([^}]*)\}/g)].flatMap(([, pairs = ""]) =>
    [...pairs.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, name]) => name as string),
  );
  return [...grouping, ...selecting];
}

function withoutTexts(expression: string): string {
  return expression.replace(/"[^"]*"/g, '""');
}
