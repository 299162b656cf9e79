import type { DescMessage, Message } from "@bufbuild/protobuf";
import { badField, refuseFields } from "../errors.ts";
import { tooManyEntries } from "../max-entries.ts";

/** Checks the origin and the number of items of one batch of an import. @throws InvalidArgument */
export function checkImportBatch(schema: DescMessage, request: Message & { origin: string }): void {
  const badOrigin = badField("origin", "RegularExpression", "'Origin' must be a short lower-case word.");
  refuseFields([origin.test(request.origin) ? undefined : badOrigin, tooManyEntries(schema, request)]);
}

/** The name of an origin, such as "twitter". */
const origin = /^[a-z][a-z0-9._-]{0,62}$/;

/** Bytes of an imported status's texts and entities as JSON: more than any status written here; a page has up to 200 of them. */
export const maxImportedBytes = 48 * 1_024;
