import type { ConnectRouter } from "@connectrpc/connect";
import { PeopleService } from "../../proto/gen/social/people/v1/people_service_pb.ts";
import { ImportService } from "../../proto/gen/social/v1/import_service_pb.ts";
import { ModerationService } from "../../proto/gen/social/v1/moderation_service_pb.ts";
import { ProfileService } from "../../proto/gen/social/v1/profile_service_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { VerifyService } from "../../proto/gen/social/v1/verify_service_pb.ts";
import { VersionService } from "../../proto/gen/social/v1/version_service_pb.ts";
import { viewerOf } from "../platform/connect/identity.ts";
import type { SocialContext } from "./context.ts";
import { countImported } from "./rpc/imports/count-imported.ts";
import { importProfiles } from "./rpc/imports/import-profiles.ts";
import { importStatuses } from "./rpc/imports/import-statuses.ts";
import { undoImport } from "./rpc/imports/undo-import.ts";
import { closeReport } from "./rpc/moderation/close-report.ts";
import { listReports } from "./rpc/moderation/list-reports.ts";
import { reinstate } from "./rpc/moderation/reinstate.ts";
import { suspend } from "./rpc/moderation/suspend.ts";
import { people } from "./rpc/people/people.ts";
import { createProfile } from "./rpc/profiles/create-profile.ts";
import { createProfiles } from "./rpc/profiles/create-profiles.ts";
import { deleteProfile } from "./rpc/profiles/delete-profile.ts";
import { getProfile } from "./rpc/profiles/get-profile.ts";
import { setVerified } from "./rpc/profiles/set-verified.ts";
import { readViewersList } from "./rpc/read-list.ts";
import { listRelationDigests } from "./rpc/reads/list-relation-digests.ts";
import { listTimelines } from "./rpc/reads/list-timelines.ts";
import { listVersions } from "./rpc/reads/list-versions.ts";
import { socialTimelines } from "./rpc/reads/social-timelines.ts";
import { socialUsers } from "./rpc/reads/social-users.ts";
import { listProfiles } from "./rpc/verify/list-profiles.ts";
import { recountProfiles } from "./rpc/verify/recount-profiles.ts";
import { recountStatuses } from "./rpc/verify/recount-statuses.ts";

/** Every RPC of the social service, and the file of the function that serves it. */
export function addRoutes(router: ConnectRouter, ctx: SocialContext): void {
  router.service(SocialService, {
    socialUsers: (request, call) => readViewersList(ctx, call, (...reader) => socialUsers(ctx, request, ...reader)),
    socialTimelines: (request, call) =>
      readViewersList(ctx, call, (...reader) => socialTimelines(ctx, request, ...reader)),
    listTimelines: (request, call) => listTimelines(ctx, request, call.signal),
  });
  router.service(PeopleService, people(ctx));
  router.service(VersionService, {
    listVersions: (request) => listVersions(ctx, request),
    listRelationDigests: (request) => listRelationDigests(ctx, request),
  });
  router.service(ProfileService, {
    createProfile: (request) => createProfile(ctx, request),
    createProfiles: (request) => createProfiles(ctx, request),
    getProfile: (request, call) => getProfile(ctx, request, viewerOf(call.requestHeader)),
    setVerified: (request) => setVerified(ctx, request),
    deleteProfile: (request) => deleteProfile(ctx, request),
  });
  router.service(ModerationService, {
    suspend: (request) => suspend(ctx, request),
    reinstate: (request) => reinstate(ctx, request),
    listReports: (request) => listReports(ctx, request),
    closeReport: (request) => closeReport(ctx, request),
  });
  router.service(VerifyService, {
    listProfiles: (request) => listProfiles(ctx, request),
    recountProfiles: (request) => recountProfiles(ctx, request),
    recountStatuses: (request) => recountStatuses(ctx, request),
  });
  router.service(ImportService, {
    importProfiles: (request) => importProfiles(ctx, request),
    importStatuses: (request) => importStatuses(ctx, request),
    countImported: (request) => countImported(ctx, request),
    undoImport: (request) => undoImport(ctx, request),
  });
}
