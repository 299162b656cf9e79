/**
 * A JSON string of nothing but blanks, as String.trim takes them, as a piece of a regular expression. Lists drop such items, so
 * they are passed over without making a text of each.
 */
export const blankString = String.raw`"(?:\s|\\[tnrf]|\\u(?:00(?:0[9a-dA-D]|20|[aA]0)|1680|20(?:0[0-9aA]|2[89fF]|5[fF])|3000|[fF][eE][fF]{2}))*"`;
