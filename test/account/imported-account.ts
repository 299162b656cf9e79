import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { TestServices } from "../support/services.ts";

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
