/** The metrics that a PromQL expression asks for, in their order. */
export function metricsIn(expression: string): string[] {
  const plain = withoutTexts(expression)
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, "")
    .replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, "");
  // A name with a parenthesis behind it is a function, one behind a digit part of a number.
  return [...plain.matchAll(/(?<![\w.])[a-zA-Z_:][\w:]*\b(?!\s*\()/g)].map(([name]) => name);
}

/** The labels by which it chooses or groups. */
export function labelsIn(expression: string): string[] {
  const plain = withoutTexts(expression);
  const grouping = [...plain.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim()),
  );
  const choosing = [...plain.matchAll(/\{([^}]*)\}/g)].flatMap(([, pairs = ""]) =>
    [...pairs.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, name]) => name as string),
  );
  return [...grouping, ...choosing];
}

function withoutTexts(expression: string): string {
  return expression.replace(/"[^"]*"/g, '""');
}
