import { create } from "@bufbuild/protobuf";
import { type Media, MediaSchema } from "../../../proto/gen/social/v1/entities_pb.ts";
import { displayUrl } from "./entities/display-url.ts";

/** A picture of which only the http(s) address is known. It is never fetched, so its sizes are unknown. */
export function mediumAt(url: string): Media {
  const isSecure = /^https:/i.test(url);
  return create(MediaSchema, {
    mediaUrl: url,
    mediaUrlHttps: isSecure ? url : "",
    url,
    displayUrl: displayUrl(url),
    expandedUrl: url,
    type: "photo",
  });
}
