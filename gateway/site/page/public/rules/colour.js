/** A profile's colour as CSS; undefined unless it is six hex digits. @param {unknown} digits */
export function profileColour(digits) {
  return typeof digits === "string" && /^[\da-f]{6}$/i.test(digits) ? `#${digits}` : undefined;
}

/** Black or white, the one with more contrast on a colour: 4.5 or more (WCAG 2.2). @param {string} colour */
export function inkOn(colour) {
  // At this luminance both have the same contrast.
  return luminance(colour) > 0.179 ? "#000000" : "#ffffff";
}

/** @param {string} colour */
function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {number} part */
function linear(part) {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
