import { create } from "@bufbuild/protobuf";
import { type Media, MediaSchema } from "../../../proto/gen/social/v1/entities_pb.ts";
import { isList, isObject, type Json, type JsonObject, textOrNone } from "../../json/json.ts";

/**
 * The media of a note that have an address of their own. Most archives name files inside themselves, which
 * a client could not load.
 * @param end where the text ends, in code points: no link in it stands for them.
 */
export function mediaIn({ attachment }: JsonObject, end: number): Media[] {
  return (isList(attachment) ? attachment : [attachment]).filter(isObject).flatMap((file) => {
    const { url, mediaType, width, height } = file;
    if (typeof url !== "string" || !/^https?:\/\/[^\s/]/i.test(url) || /\s/.test(url)) return [];
    const [w, h] = [pixels(width), pixels(height)];
    return create(MediaSchema, {
      mediaUrl: url,
      mediaUrlHttps: /^https:/i.test(url) ? url : "",
      url,
      displayUrl: url.replace(/^https?:\/\//i, ""),
      expandedUrl: url,
      type: textOrNone(mediaType).startsWith("video/") ? "video" : "photo",
      sizes: w && h ? { large: { w, h, resize: "fit" } } : {},
      indices: [end, end],
    });
  });
}

function pixels(value: Json | undefined): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value < 2 ** 31 ? value : 0;
}
