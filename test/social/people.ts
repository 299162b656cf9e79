import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { TestServices } from "../support/services.ts";

/** A user with a profile; the account service need not know. */
export interface Person {
  id: bigint;
  name: string;
}

let count = 0;

/** Creates a profile under a name of its own that begins with this one. */
export async function person({ clients }: TestServices, name: string): Promise<Person> {
  const number = ++count;
  const screenName = `${name}_${number}`;
  const id = 1_000_000n + BigInt(number);
  const createdAt = timestampFromDate(new Date("2020-01-01"));
  await clients.profiles.createProfile({ userId: id, screenName, name, createdAt });
  return { id, name: screenName };
}

/** Publishes a status and returns its key. */
export async function publish({ clients }: TestServices, author: Person, text = "hello") {
  const { status } = await clients.statuses.publishStatus({ authorId: author.id, text });
  return { authorId: author.id, id: status?.id ?? 0n };
}

/** A profile as an anonymous caller sees it. */
export async function profileOf({ clients }: TestServices, { id }: Person) {
  return (await clients.social.socialUsers({ userIds: [id] })).results[0];
}

/** The ids of a timeline's first page as an anonymous caller sees it. */
export async function timelineOf({ clients }: TestServices, { name }: Person): Promise<bigint[]> {
  return (await clients.social.socialTimelines({ screenName: name, take: 200n })).results.map(({ id }) => id);
}
