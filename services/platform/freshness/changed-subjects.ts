/**
 * The keys of the subjects of which another token is known to be announced than these; none where the caller does not ask for
 * that. A subject without a key is never announced.
 * @param announced subject by subject, empty when the caller does not ask
 */
export function changedSubjects(
  subjectKeys: readonly string[],
  tokens: readonly string[],
  announced: readonly string[],
): string[] {
  if (announced.length === 0) return [];
  return subjectKeys.filter((key, index) => key !== "" && tokens[index] !== announced[index]);
}
