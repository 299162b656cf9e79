import { viewerKey } from "../../platform/redis/freshness-key.ts";
import { nameKey } from "../../platform/rules/screen-name.ts";

/** An author or a viewer, whose state readers cache under a freshness token (design §5). The user id is a text because subjects are stored as JSON. */
export type Subject = Readonly<
  { kind: "author"; screenName: string; formerName?: string } | { kind: "viewer"; userId: string }
>;

/** A user as an author. */
export interface Author {
  screen_name: string;
  /** The name before an import renamed the user. Null: the name was always this one; undefined: the caller knows the present name only. */
  former_name?: string | null;
}

/**
 * An author: profile, timeline and privacy. Under the former name too: the rename may not have been announced yet, so that gateways show the
 * user by a token of that name.
 */
export function authorSubject({ screen_name, former_name }: Author): Subject {
  return { kind: "author", screenName: screen_name, ...(former_name && { formerName: former_name }) };
}

/**
 * A viewer: whom the user follows, has asked to follow, blocks or mutes, and what the user marked and reposted. A change of any
 * of these also changes the row's viewer_version (store/profiles/advance-viewer.ts).
 */
export function viewerSubject({ user_id }: { user_id: bigint }): Subject {
  return { kind: "viewer", userId: user_id.toString() };
}

/** The keys of a subject's tokens: an author may have another one under the former name. */
export function subjectKeys(subject: Subject): string[] {
  if (subject.kind === "viewer") return [viewerKey(subject.userId)];
  const { screenName, formerName } = subject;
  return [screenName, ...(formerName === undefined ? [] : [formerName])].map(nameKey);
}

declare const isMade: unique symbol;

/**
 * The answer of a write with the subjects whose state it asserts, which are announced before it is sent. Only the functions of this file
 * make one, so that no write can forget to name its subjects.
 */
export interface Asserted<T> {
  readonly answer: T;
  readonly subjects: readonly Subject[];
  readonly [isMade]: true;
}

/** An answer, and the subjects whose state it shows, whether this write changed them or not. */
export function asserting<T>(subjects: readonly [Subject, ...Subject[]], answer: T): Asserted<T> {
  return asserted(subjects, answer);
}

/** The same for subjects that were looked up, which may be none. */
export function assertingFound<T>(subjects: readonly Subject[], answer: T): Asserted<T> {
  return asserted(subjects, answer);
}

/** An answer that no cached page can contradict. @param _why the reason */
export function assertingNothing<T>(_why: string, answer: T): Asserted<T> {
  return asserted([], answer);
}

/** The same subjects with the answer in another form. */
export function withAnswer<T>({ subjects }: Asserted<unknown>, answer: T): Asserted<T> {
  return asserted(subjects, answer);
}

function asserted<T>(subjects: readonly Subject[], answer: T): Asserted<T> {
  return { subjects, answer } as Asserted<T>;
}
