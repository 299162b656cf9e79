/**
 * The number of the rules by which texts and names are taken apart for searches (services/social/domain/search-words.ts, user-query.ts).
 * It is stored with each row. A change of what those files give needs the next number, and `npm run reindex` after the upgrade.
 */
export const searchRules = 1;
