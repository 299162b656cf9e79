import type { DescMessage, DescMethod, DescMethodUnary, Message, MessageShape } from "@bufbuild/protobuf";
import { PeopleService } from "../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { LimitedWrite } from "../write-limits.ts";

/**
 * The rate limits that a write counts against. Public writes without a limit of their own, also those that undo something, count against a
 * common high limit: each leaves its answer in the database for days.
 */
export function rateLimitsOf(method: DescMethod, request: Message): readonly LimitedWrite[] {
  const limited = kinds.get(method)?.(request) ?? [];
  return limited.length === 0 && method.parent === PeopleService ? ["changes"] : limited;
}

const kinds = new Map<DescMethod, (request: Message) => readonly LimitedWrite[]>([
  counts(PeopleService.method.publishStatus, () => ["statuses"]),
  counts(PeopleService.method.markStatus, ({ favorited, retweeted }) => [
    ...(favorited ? (["marks"] as const) : []),
    ...(retweeted ? (["statuses"] as const) : []),
  ]),
  counts(PeopleService.method.followUser, ({ following }) => (following === false ? [] : ["follows"])),
  counts(PeopleService.method.reportUser, () => ["reports"]),
]);

function counts<I extends DescMessage>(
  method: DescMethodUnary<I>,
  of: (request: MessageShape<I>) => readonly LimitedWrite[],
): [DescMethod, (request: Message) => readonly LimitedWrite[]] {
  return [method, (request) => of(request as MessageShape<I>)];
}
