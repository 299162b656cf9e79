import { fileURLToPath } from "node:url";
import { ImportService } from "../../proto/gen/social/v1/import_service_pb.ts";
import { ProfileService } from "../../proto/gen/social/v1/profile_service_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { StatusService } from "../../proto/gen/social/v1/status_service_pb.ts";
import { serveRpc } from "../platform/connect/server.ts";
import type { Running } from "../platform/lifecycle.ts";
import type { Log } from "../platform/log.ts";
import { migrate } from "../platform/postgres/migrate.ts";
import type { SocialConfig } from "./config.ts";
import { createContext } from "./context.ts";
import { createProfile } from "./rpc/create-profile.ts";
import { importProfiles } from "./rpc/import-profiles.ts";
import { importStatuses } from "./rpc/import-statuses.ts";
import { publishStatus } from "./rpc/publish-status.ts";
import { socialTimelines } from "./rpc/social-timelines.ts";
import { socialUsers } from "./rpc/social-users.ts";
import { updateProfile } from "./rpc/update-profile.ts";

/** Starts the social service: schema first, then the port. */
export async function startSocial(config: SocialConfig, log: Log): Promise<Running> {
  await migrate(config.databaseUrl, "social", fileURLToPath(new URL("migrations", import.meta.url)), log);
  const ctx = createContext(config, log);
  const server = await serveRpc({ ...config, log }, (router) => {
    router.service(SocialService, {
      socialUsers: (request) => socialUsers(ctx, request),
      socialTimelines: (request) => socialTimelines(ctx, request),
    });
    router.service(ProfileService, {
      createProfile: (request) => createProfile(ctx, request),
      updateProfile: (request) => updateProfile(ctx, request),
    });
    router.service(StatusService, { publishStatus: (request) => publishStatus(ctx, request) });
    router.service(ImportService, {
      importProfiles: (request) => importProfiles(ctx, request),
      importStatuses: (request) => importStatuses(ctx, request),
    });
  });
  return {
    url: server.url,
    async close() {
      await server.close();
      await ctx.close();
    },
  };
}
