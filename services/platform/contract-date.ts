/** A date as the contract writes it, in UTC: `Wed Aug 27 13:08:45 +0000 2008`. */
export function contractDate(date: Date): string {
  // Always English and UTC (RFC 1123): "Wed, 27 Aug 2008 13:08:45 GMT".
  const text = date.toUTCString();
  return `${text.slice(0, 3)} ${text.slice(8, 11)} ${text.slice(5, 7)} ${text.slice(17, 25)} +0000 ${text.slice(12, 16)}`;
}
