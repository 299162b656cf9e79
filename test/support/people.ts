import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Test } from "uvu";
import { viewerHeader } from "../../services/platform/connect/identity.ts";
import type { TestServices } from "./services.ts";

export interface Person {
  id: bigint;
  name: string;
}

/** The password of users whom a test registers without another one. */
export const password = "correct horse";

type Registration = Parameters<TestServices["clients"]["account"]["registration"]>[0];

/** Registers a user; gives the user id. */
export async function register({ clients }: TestServices, userName: string, fields?: Registration): Promise<bigint> {
  return (await clients.account.registration({ userName, password, ...fields })).userId;
}

/** Registers a user and signs them in; gives the user id and the session id. */
export async function registerSignedIn({ clients }: TestServices, userName: string, fields?: Registration) {
  const { userId, sessionId } = await clients.account.registration({ userName, password, autoLogin: true, ...fields });
  return { userId, sessionId };
}

let count = 0;

/** Creates a profile under a new name that begins with this one; the user has no account. */
export async function person({ clients }: TestServices, name: string): Promise<Person> {
  const number = ++count;
  const screenName = `${name}_${number}`;
  const id = 1_000_000n + BigInt(number);
  const createdAt = timestampFromDate(new Date("2020-01-01"));
  await clients.profiles.createProfile({ userId: id, screenName, name, createdAt });
  return { id, name: screenName };
}

/** Imports a user who has no account yet, and returns the user id. */
export async function importedAccount(
  account: TestServices["clients"]["account"],
  originId: string,
  userName = `imported${originId}`,
): Promise<bigint> {
  const createdAt = timestampFromDate(new Date("2012-03-04T05:06:07Z"));
  const claims = [{ originId, userName, displayName: userName, createdAt }];
  const { results } = await account.claimAccounts({ origin: "twitter", claims });
  return results[0]?.userId ?? 0n;
}

/** New people before each test of a suite, or of several, by the beginnings of their names. */
export function usePeople<Names extends string[]>(tests: Test | Test[], services: TestServices, ...names: Names) {
  const people = names.map(() => ({}) as Person);
  for (const { before } of [tests].flat())
    before.each(async () => {
      for (const [index, name] of names.entries()) Object.assign(people[index] as Person, await person(services, name));
    });
  return people as { [Name in keyof Names]: Person };
}

/** Publishes a status of a user and returns its key. */
export async function publish({ clients }: TestServices, author: { id: bigint } | bigint, text = "hello") {
  const authorId = typeof author === "bigint" ? author : author.id;
  const { status } = await clients.statuses.publishStatus({ authorId, text });
  return { authorId, id: status?.id ?? 0n };
}

/** Makes a user's statuses visible to approved followers only, or ends that. */
export async function protect({ clients }: TestServices, { id }: { id: bigint }, isProtected = true): Promise<void> {
  await clients.profiles.setProtected({ userId: id, protected: isProtected });
}

/** Call options that name a viewer; those of an anonymous caller when it is left out. */
export function as(viewer?: { id: bigint }): { headers?: Record<string, string> } {
  return viewer === undefined ? {} : { headers: { [viewerHeader]: `${viewer.id}` } };
}

/** Whether everything is deleted that a user had whose account is gone. */
export async function isDeleted({ clients }: TestServices, userId: bigint): Promise<boolean> {
  return (await clients.account.getDeletion({ userId })).deletion?.complete === true;
}

/** A profile as an anonymous caller sees it. */
export async function profileOf({ clients }: TestServices, { id }: { id: bigint }) {
  return (await clients.social.socialUsers({ userIds: [id] })).results[0];
}

/** The ids of a timeline's first page as an anonymous caller sees it. */
export async function timelineOf({ clients }: TestServices, { name }: { name: string }): Promise<bigint[]> {
  return (await clients.social.socialTimelines({ screenName: name, take: 200n })).results.map(({ id }) => id);
}

const colour = "000000";
/** The fields of an imported profile that have no default, but for the screen name. */
export const plainProfile = {
  name: "N",
  lang: "en",
  createdAt: "Wed Aug 27 13:08:45 +0000 2008",
  profileBackgroundColor: colour,
  profileSidebarBorderColor: colour,
  profileSidebarFillColor: colour,
  profileLinkColor: colour,
  profileTextColor: colour,
};

export function textsOf(statuses: readonly { text?: unknown }[]): unknown[] {
  return statuses.map(({ text }) => text);
}

export function idsOf(found: readonly { id: bigint }[]): bigint[] {
  return found.map(({ id }) => id);
}

export function valuesOf<T, Name extends keyof T>(items: readonly T[], name: Name): T[Name][] {
  return items.map((item) => item[name]);
}
