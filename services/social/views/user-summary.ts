import type { UserSummary } from "../../../proto/gen/social/v1/statuses_pb.ts";
import { contractDate } from "../../platform/contract-date.ts";
import type { ProfileRelation, ProfileRow } from "../store/rows.ts";

/** A user as a status embeds it; `relation` is the viewer's, undefined for an anonymous caller. */
export function userSummary(row: ProfileRow, relation?: Pick<ProfileRelation, "notifications">): UserSummary {
  return { $typeName: "social.v1.UserSummary", ...summaryFields(row), notifications: relation?.notifications };
}

/** The fields that every view of a user shares. */
export function summaryFields(row: ProfileRow): Omit<UserSummary, "$typeName" | "$unknown" | "notifications"> {
  return {
    id: row.user_id,
    screenName: row.screen_name,
    name: row.name,
    location: row.location,
    url: row.url ?? undefined,
    description: row.description,
    lang: row.lang,
    timeZone: row.time_zone ?? undefined,
    utcOffset: row.utc_offset ?? undefined,
    protected: row.protected,
    verified: row.verified,
    geoEnabled: row.geo_enabled,
    contributorsEnabled: row.contributors_enabled,
    followersCount: row.followers_count,
    friendsCount: row.friends_count,
    favouritesCount: row.favourites_count,
    statusesCount: row.statuses_count,
    profileImageUrl: row.profile_image_url,
    profileBackgroundImageUrl: row.profile_background_image_url,
    profileBackgroundColor: row.profile_background_color,
    profileSidebarBorderColor: row.profile_sidebar_border_color,
    profileSidebarFillColor: row.profile_sidebar_fill_color,
    profileLinkColor: row.profile_link_color,
    profileTextColor: row.profile_text_color,
    profileBackgroundTile: row.profile_background_tile,
    profileUseBackgroundImage: row.profile_use_background_image,
    createdAt: contractDate(row.created_at),
  };
}
