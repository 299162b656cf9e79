/**
 * The source of a regular expression for a JSON string of blanks alone, as String.trim defines them. Lists drop such items, so
 * they are skipped without making a string of each.
 */
export const blankString = String.raw`"(?:\s|\\[tnrf]|\\u(?:00(?:0[9a-dA-D]|20|[aA]0)|1680|20(?:0[0-9aA]|2[89fF]|5[fF])|3000|[fF][eE][fF]{2}))*"`;
