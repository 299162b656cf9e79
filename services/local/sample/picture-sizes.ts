import type { V11Media, V11Size } from "./v11.ts";

/** The four sizes in which Twitter keeps a picture of so many pixels; none is larger than the picture. */
export function pictureSizes(width: number, height: number): V11Media["sizes"] {
  return {
    thumb: { w: Math.min(150, width), h: Math.min(150, height), resize: "crop" },
    small: fit(width, height, 340, 480),
    medium: fit(width, height, 600, 1_200),
    large: fit(width, height, 1_024, 2_048),
  };
}

function fit(width: number, height: number, mostWidth: number, mostHeight: number): V11Size {
  const scale = Math.min(1, mostWidth / width, mostHeight / height);
  return { w: Math.round(width * scale), h: Math.round(height * scale), resize: "fit" };
}
