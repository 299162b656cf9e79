/** The text, or undefined when there is nothing but blanks in it: blanks alone count as empty (contract §2). */
export function filled(text: string): string | undefined {
  return text.trim() === "" ? undefined : text;
}
