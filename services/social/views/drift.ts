import { create } from "@bufbuild/protobuf";
import { DriftSchema } from "../../../proto/gen/social/v1/verify_service_pb.ts";
import type { DriftRow } from "../store/verify/recount.ts";

/** One wrong counter. */
export function driftView({ user_id, status_id, field, stored, counted }: DriftRow) {
  return create(DriftSchema, { userId: user_id, statusId: status_id, field, stored, counted });
}
