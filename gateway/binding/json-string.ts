/** A string of valid JSON, as a piece of a regular expression; a search that takes each whole cannot begin inside of one. */
export const jsonString = `"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"`;
