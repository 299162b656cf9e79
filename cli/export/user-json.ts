import type { UserSummary } from "../../proto/gen/social/v1/statuses_pb.ts";
import { idFields } from "./status-json.ts";

/** A user as Twitter API v1.1 embeds one in a status. */
export function userJson(user: UserSummary): object {
  return {
    ...idFields("id", user.id),
    name: user.name,
    screen_name: user.screenName,
    location: user.location,
    description: user.description,
    url: user.url ?? null,
    protected: user.protected,
    followers_count: user.followersCount,
    friends_count: user.friendsCount,
    created_at: user.createdAt,
    favourites_count: user.favouritesCount,
    utc_offset: user.utcOffset ?? null,
    time_zone: user.timeZone ?? null,
    geo_enabled: user.geoEnabled,
    verified: user.verified,
    statuses_count: user.statusesCount,
    lang: user.lang,
    contributors_enabled: user.contributorsEnabled,
    profile_background_color: user.profileBackgroundColor,
    profile_background_image_url: user.profileBackgroundImageUrl,
    profile_background_tile: user.profileBackgroundTile,
    profile_image_url: user.profileImageUrl,
    profile_link_color: user.profileLinkColor,
    profile_sidebar_border_color: user.profileSidebarBorderColor,
    profile_sidebar_fill_color: user.profileSidebarFillColor,
    profile_text_color: user.profileTextColor,
    profile_use_background_image: user.profileUseBackgroundImage,
  };
}
