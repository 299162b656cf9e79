import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type SessionResult, SessionResultSchema } from "../../../proto/gen/account/people/v1/people_service_pb.ts";
import { type Session, SessionSchema } from "../../../proto/gen/account/v1/session_service_pb.ts";
import { contractDate } from "../../platform/contract-date.ts";
import type { StoredSession } from "../store/list-sessions.ts";

/** A session as its user sees it: never its id. */
export function sessionView(session: StoredSession, own: Buffer): Session {
  return create(SessionSchema, {
    createdAt: timestampFromDate(session.createdAt),
    expiresAt: timestampFromDate(session.expiresAt),
    current: session.idHash.equals(own),
  });
}

/** The same for the public. */
export function sessionResult(session: StoredSession, own: Buffer): SessionResult {
  return create(SessionResultSchema, {
    createdAt: contractDate(session.createdAt),
    expiresAt: contractDate(session.expiresAt),
    current: session.idHash.equals(own),
  });
}
