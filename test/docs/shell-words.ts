/** Values that earlier replies gave to names, as a reader's shell would hold them. */
export type Variables = Map<string, string>;

/** The words of a command as a shell takes them: single quotes, double quotes, and variables outside single quotes. */
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
    if (value === undefined) throw new Error(`no reply so far gave a value to ${name}`);
    return value;
  });
}
