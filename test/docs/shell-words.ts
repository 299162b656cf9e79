/** Shell variables, whose values are parts of earlier replies. */
export type Variables = Map<string, string>;

/** Splits a command into words like a shell: with single quotes, double quotes, and variables outside single quotes. */
export function shellWords(command: string, variables: Variables): string[] {
  const words = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"]+)+/g) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"|([^'"]+)/g, (_part, literal, quoted, plain) =>
      literal === undefined ? expand(quoted ?? plain, variables) : literal,
    ),
  );
}

function expand(text: string, variables: Variables): string {
  return text.replace(/\$([A-Z_]+)/g, (_whole, name) => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`no reply before has set ${name}`);
    return value;
  });
}
