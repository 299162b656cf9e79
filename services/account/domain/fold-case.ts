/**
 * A text in NFC without regard to case, of which a database's collation knows nothing: texts that are equal in capitals or in
 * small letters are equal. Each code point for itself, so that no place in a word matters, as it does for the final sigma.
 */
export function foldCase(text: string): string {
  return [...text.normalize("NFC")].map(foldCodePoint).join("").normalize("NFC");
}

// Lower first: the capital sharp s is its own capital.
function foldCodePoint(codePoint: string): string {
  return codePoint.toLowerCase().toUpperCase().toLowerCase();
}
