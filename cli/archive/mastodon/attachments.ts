import { create } from "@bufbuild/protobuf";
import { type Media, MediaSchema } from "../../../proto/gen/social/v1/entities_pb.ts";
import { isList, isObject, type Json, type JsonObject, textOrNone } from "../../json/json.ts";

/**
 * The media of a note that have a web address. Most archives refer to files inside themselves, which clients cannot load.
 * @param end length of the text in code points: media are placed there, since the text has no link to them.
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
