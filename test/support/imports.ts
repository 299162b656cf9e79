import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ImportedProfileSchema,
  type ImportedStatusSchema,
  ImportOutcome,
  type ImportProfilesRequestSchema,
  type ImportStatusesRequestSchema,
} from "../../proto/gen/social/v1/import_service_pb.ts";
import { enumName } from "./enum-name.ts";
import { plainProfile } from "./people.ts";
import type { TestServices } from "./services.ts";

type Profile = MessageInitShape<typeof ImportedProfileSchema>;
type Status = MessageInitShape<typeof ImportedStatusSchema>;

/** The outcome of each imported item, or why it was refused. */
export function outcomesOf(results: readonly { outcome: ImportOutcome; refusal: string }[]): string[] {
  return results.map(({ outcome, refusal }) => refusal || enumName(ImportOutcome, outcome));
}

/** Imports profiles from Twitter; fields that have no default are those of `plainProfile`, and the id there is the user id. */
export async function importProfiles({ clients }: TestServices, ...items: Profile[]): Promise<string[]> {
  const profiles = items.map((item) => ({
    originId: `${item.userId}`,
    ...item,
    profile: { ...plainProfile, ...item.profile },
  }));
  const request = { origin: "twitter", profiles } as MessageInitShape<typeof ImportProfilesRequestSchema>;
  return outcomesOf((await clients.imports.importProfiles(request)).results);
}

/** Imports statuses from Twitter; one has the text "t" and the date of `plainProfile` when it has none. */
export async function importStatuses(
  { clients }: TestServices,
  items: readonly Status[],
  options: MessageInitShape<typeof ImportStatusesRequestSchema> = {},
): Promise<string[]> {
  const basics = { createdAt: plainProfile.createdAt, text: "t" };
  const statuses = items.map((item) => ({ ...item, status: { ...basics, ...item.status } })) as Status[];
  return outcomesOf((await clients.imports.importStatuses({ origin: "twitter", statuses, ...options })).results);
}

/** The job of an author's import, by a short name. */
export function jobOf(authorId: bigint, name: string) {
  return { job: { authorId, id: Buffer.from(name.padEnd(16)) } };
}
