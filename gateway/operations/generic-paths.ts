/** The paths that have only an operation's name, the preferred one first: ServiceStack clients call these (contract §1). */
export const replyPrefixes = ["/json/reply", "/api", "/json/syncreply"] as const;

/** The same for clients that want no answer (contract §1). */
export const onewayPrefixes = ["/json/oneway", "/json/asynconeway"] as const;

/** What a generic route answers: the reply, an array of replies, or nothing. */
export type Answers = "reply" | "batch" | "nothing";

export interface GenericPath {
  path: string;
  answers: Answers;
}

/** The routes of every operation that have only its name (contract §1), the preferred one first. */
export function genericPaths(name: string): GenericPath[] {
  return [
    ...replyPrefixes.map((prefix) => ({ path: `${prefix}/${name}`, answers: "reply" as const })),
    ...replyPrefixes.map((prefix) => ({ path: `${prefix}/${name}[]`, answers: "batch" as const })),
    ...onewayPrefixes.map((prefix) => ({ path: `${prefix}/${name}`, answers: "nothing" as const })),
  ];
}
