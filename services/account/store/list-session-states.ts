import { agreedPlaceColumn } from "../../platform/freshness/announcers.ts";
import type { Db } from "../../platform/postgres/pool.ts";

/** A session that is signed in. */
interface SessionState {
  id_hash: Buffer;
  user_id: bigint;
  /** Whether it lives for longer than a token of it. */
  is_lasting: boolean;
}

/**
 * The sessions among these that are signed in. One more row, which is always there and read at the same moment, says where all
 * account processes announce ends of sessions.
 * @param lastingMs milliseconds for which a token of a session may be in use
 */
export async function listSessionStates(db: Db, idHashes: readonly Buffer[], lastingMs: number) {
  const { rows } = await db.query<(SessionState | { id_hash: null }) & { agreed_place: string | null }>({
    name: "list-session-states",
    text: `select id_hash, user_id, expires_at > now() + $2 * interval '1 millisecond' as is_lasting, null as agreed_place
           from account.session
           where id_hash = any ($1::bytea[]) and signed_in and ended_at is null and expires_at > now()
           union all
           select null, null, null, ${agreedPlaceColumn} from account.announcer where not has_left`,
    values: [idHashes, lastingMs],
  });
  return {
    sessions: rows.filter((row) => row.id_hash !== null),
    agreedPlace: rows.find((row) => row.id_hash === null)?.agreed_place ?? null,
  };
}
