import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Session, SessionSchema } from "../../../proto/gen/account/v1/session_service_pb.ts";
import type { StoredSession } from "../store/list-sessions.ts";

/** A session as its user sees it: never its id. */
export function sessionView(session: StoredSession, own: Buffer): Session {
  return create(SessionSchema, {
    createdAt: timestampFromDate(session.createdAt),
    expiresAt: timestampFromDate(session.expiresAt),
    current: session.idHash.equals(own),
  });
}
