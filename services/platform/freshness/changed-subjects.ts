/**
 * The keys of those subjects whose announced token differs from the one that was read; none where the caller sends no announced
 * tokens. A subject without a key is never announced.
 * @param announced by subject; empty when the caller sends none
 */
export function changedSubjects(
  subjectKeys: readonly string[],
  tokens: readonly string[],
  announced: readonly string[],
): string[] {
  if (announced.length === 0) return [];
  return subjectKeys.filter((key, index) => key !== "" && tokens[index] !== announced[index]);
}
