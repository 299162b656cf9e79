/**
 * The number of the rules by which texts and names are taken apart for searches (services/social/domain/search-words.ts, user-query.ts).
 * It is stored with each row, so that `npm run reindex` finds those of older rules. A change of what those files give needs the next number.
 */
export const searchRules = 1;
