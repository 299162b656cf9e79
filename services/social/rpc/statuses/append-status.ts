import type { Db } from "../../../platform/postgres/pool.ts";
import { insertStatus, type NewStatus } from "../../store/statuses/insert-status.ts";
import { type WithMedia, withEntities } from "./with-entities.ts";

/**
 * Appends a status to its author's timeline, whose row it locks last and briefly. Undefined when there is no such author, or when
 * the author's profile does not allow the place.
 */
export async function appendStatus(db: Db, status: WithMedia<NewStatus>) {
  return insertStatus(db, await withEntities(db, status));
}
