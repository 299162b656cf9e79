import type { ConnectRouter } from "@connectrpc/connect";
import { PeopleService } from "../../proto/gen/social/people/v1/people_service_pb.ts";
import { ImportService } from "../../proto/gen/social/v1/import_service_pb.ts";
import { ModerationService } from "../../proto/gen/social/v1/moderation_service_pb.ts";
import { ProfileService } from "../../proto/gen/social/v1/profile_service_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { VerifyService } from "../../proto/gen/social/v1/verify_service_pb.ts";
import { VersionService } from "../../proto/gen/social/v1/version_service_pb.ts";
import { WatchService } from "../../proto/gen/social/v1/watch_service_pb.ts";
import { viewerOf } from "../platform/connect/identity.ts";
import type { SocialContext } from "./context.ts";
import { socialUsers } from "./rpc/find-users.ts";
import { countImported, importProfiles, importStatuses, undoImport } from "./rpc/imports.ts";
import { followRequests, socialBlocks, socialFollowers, socialFriends, socialMutes } from "./rpc/lists.ts";
import { closeReport, listReports, reinstate, suspend } from "./rpc/moderation.ts";
import {
  createProfile,
  createProfiles,
  deleteProfile,
  getProfile,
  setVerified,
  updateProfile,
} from "./rpc/profiles.ts";
import { answerFollower, blockUser, followUser, muteUser, reportUser } from "./rpc/relations.ts";
import { searchStatuses, searchUsers } from "./rpc/search.ts";
import { deleteStatus, markStatus, publishStatus, socialStatus } from "./rpc/statuses.ts";
import { socialTimelines } from "./rpc/timelines.ts";
import { socialFavorites, socialHome, socialMentions, socialPublic, socialReplies } from "./rpc/timelines-of-many.ts";
import { listProfiles, recountProfiles, recountStatuses } from "./rpc/verify.ts";
import { listRelationDigests, listVersions } from "./rpc/versions.ts";
import { readList, readViewersList } from "./rpc/viewer-reads.ts";
import { readNews, readNewsOfMany, watch } from "./rpc/watch.ts";

/** Every RPC of the social service, and the file of the function that serves it. */
export function addRoutes(router: ConnectRouter, ctx: SocialContext): void {
  router.service(SocialService, {
    socialUsers: (request, call) => readViewersList(ctx, call, (...reader) => socialUsers(ctx, request, ...reader)),
    socialTimelines: (request, call) =>
      readViewersList(ctx, call, (...reader) => socialTimelines(ctx, request, ...reader)),
  });
  router.service(PeopleService, {
    publishStatus: (request) => publishStatus(ctx, request),
    deleteStatus: (request) => deleteStatus(ctx, request),
    socialStatus: (request, call) => socialStatus(ctx, request, viewerOf(call.requestHeader)),
    markStatus: (request) => markStatus(ctx, request),
    followUser: (request) => followUser(ctx, request),
    answerFollower: (request) => answerFollower(ctx, request),
    blockUser: (request) => blockUser(ctx, request),
    muteUser: (request) => muteUser(ctx, request),
    reportUser: (request) => reportUser(ctx, request),
    socialFollowers: (request, call) => readList(ctx, call, (viewer) => socialFollowers(ctx, request, viewer)),
    socialFriends: (request, call) => readList(ctx, call, (viewer) => socialFriends(ctx, request, viewer)),
    followRequests: (request, call) => readList(ctx, call, () => followRequests(ctx, request)),
    socialBlocks: (request, call) => readList(ctx, call, () => socialBlocks(ctx, request)),
    socialMutes: (request, call) => readList(ctx, call, () => socialMutes(ctx, request)),
    socialPublic: (request, call) =>
      readList(ctx, call, (viewer) => socialPublic(ctx, request, viewer, call.requestHeader)),
    searchUsers: (request, call) =>
      readList(ctx, call, (viewer) => searchUsers(ctx, request, viewer, call.requestHeader)),
    searchStatuses: (request, call) =>
      readList(ctx, call, (viewer) => searchStatuses(ctx, request, viewer, call.requestHeader)),
    socialHome: (request, call) => readList(ctx, call, () => socialHome(ctx, request)),
    socialMentions: (request, call) => readList(ctx, call, () => socialMentions(ctx, request)),
    socialReplies: (request, call) => readList(ctx, call, (viewer) => socialReplies(ctx, request, viewer)),
    socialFavorites: (request, call) => readList(ctx, call, () => socialFavorites(ctx, request)),
    updateProfile: (request) => updateProfile(ctx, request),
  });
  router.service(VersionService, {
    listVersions: (request) => listVersions(ctx, request),
    listRelationDigests: (request) => listRelationDigests(ctx, request),
  });
  router.service(WatchService, {
    watch: (_request, call) => watch(ctx, call.signal),
    readNews: (request) => readNews(ctx, request),
    readNewsOfMany: (request) => readNewsOfMany(ctx, request),
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
