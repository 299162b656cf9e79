/** A public path of an operation. */
export interface OperationPath {
  /** As annotated: `/social/{ScreenName}/timelines`. */
  template: string;
  /** The same for the router, in lower case but for the names: `/social/:ScreenName/timelines`. */
  route: string;
  /** The variables, with the position of their segment between the slashes. */
  variables: readonly PathVariable[];
}

interface PathVariable {
  name: string;
  segment: number;
}

/** Reads a path annotation. @throws Error when it is not `/` and segments that are plain or one `{Variable}` each */
export function parseOperationPath(template: string): OperationPath {
  if (!/^(?:\/(?:[\w.~-]+|\{\w+\}))+$/.test(template)) throw new Error(`"${template}" is not a path of an operation`);
  const variables = template.split("/").flatMap((text, segment) => {
    const name = /^\{(\w+)\}$/.exec(text)?.[1];
    return name === undefined ? [] : [{ name, segment }];
  });
  return { template, route: routeOf(template), variables };
}

/** A text that two paths have in common when the router cannot distinguish them. */
export function pathShape({ template }: OperationPath): string {
  return template.toLowerCase().replace(/\{\w+\}/g, "{}");
}

function routeOf(template: string): string {
  return template.replace(/\{(\w+)\}|[^{]+/g, (plain, name?: string) => (name ? `:${name}` : plain.toLowerCase()));
}

/** The paths that have only an operation's name, the preferred one first: ServiceStack clients call these (contract §1). */
export const replyPrefixes = ["/json/reply", "/api", "/json/syncreply"] as const;

/** The same for clients that want no answer (contract §1). */
export const onewayPrefixes = ["/json/oneway", "/json/asynconeway"] as const;

/** What a generic route answers: the reply, an array of replies, or nothing. */
type Answers = "reply" | "batch" | "nothing";

interface GenericPath {
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
