/** Whether a text is a language tag: language, then script, region and variants (BCP 47), at most 64 characters. */
export function isLanguageTag(text: string): boolean {
  // Imported files also have "en-gb" and "zh_Hant".
  return text.length <= 64 && /^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/.test(text);
}
