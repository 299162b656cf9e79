/** The text, or undefined when it is empty or holds only blanks (contract §2). */
export function filled(text: string): string | undefined {
  return text.trim() === "" ? undefined : text;
}
