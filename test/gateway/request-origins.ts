import type http from "node:http";

/** Verbs with which every browser sends Origin, and others. */
export const withBody = ["POST", "PUT", "PATCH", "DELETE"];
export const withoutBody = ["GET", "HEAD", "OPTIONS", "PROPFIND"];

/** Origin and Sec-Fetch-Site of a request, and whether the cookie counts for reads and for writes by these verbs. */
export const requestOrigins: [
  origin: string | undefined,
  fetchSite: string | undefined,
  ...counts: [boolean, boolean, boolean],
][] = [
  // Origin, Sec-Fetch-Site, read, write with a body, write without.
  [undefined, undefined, true, true, false],
  [undefined, "same-origin", true, true, true],
  [undefined, "same-site", false, false, false],
  [undefined, "cross-site", false, false, false],
  [undefined, "none", true, false, false],
  [undefined, "same-origin, same-origin", false, false, false],
  ["own", undefined, true, true, true],
  ["own", "same-origin", true, true, true],
  ["own", "cross-site", true, true, true],
  ["https://app.example", undefined, true, true, true],
  ["https://app.example", "cross-site", true, true, true],
  ["https://app.example", "same-site", true, true, true],
  ["http://app.example", undefined, false, false, false],
  ["https://app.example.evil", "cross-site", false, false, false],
  ["https://evil.example", undefined, false, false, false],
  ["https://evil.example", "cross-site", false, false, false],
  ["https://evil.example", "same-site", false, false, false],
  ["https://evil.example", "none", false, false, false],
  ["null", undefined, false, false, false],
  ["null", "none", false, false, false],
  ["null", "cross-site", false, false, false],
  ["null", "same-origin", true, true, true],
];

type Row = (typeof requestOrigins)[number];

/** The headers of a row for a gateway that trusts its own origin and https://app.example. */
export function originHeaders([origin, fetchSite]: Row, gatewayUrl: string): http.OutgoingHttpHeaders {
  return {
    ...(origin !== undefined && { origin: origin === "own" ? gatewayUrl : origin }),
    ...(fetchSite !== undefined && { "sec-fetch-site": fetchSite }),
  };
}
