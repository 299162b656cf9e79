import { randomInt } from "node:crypto";
import { createClient, type Transport } from "@connectrpc/connect";
import { ProfileService } from "../proto/gen/social/v1/profile_service_pb.ts";

/** Users of a run, each with a profile. */
export type People = { id: bigint; name: string }[];

/** Creates profiles with ids and names that no other run uses. */
export async function createPeople(transport: Transport, count: number): Promise<People> {
  const profiles = createClient(ProfileService, transport);
  const first = randomInt(2 ** 47) + 1;
  const people = Array.from({ length: count }, (_, index) => ({
    id: BigInt(first + index),
    name: `p${(first + index).toString(36)}`,
  }));
  for (const { id, name } of people) {
    const createdAt = { seconds: 1_500_000_000n };
    await profiles.createProfile({ userId: id, screenName: name, name, createdAt });
  }
  return people;
}
