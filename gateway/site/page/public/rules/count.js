/** How many there are, in words. @param {number} n @param {string} one @param {string} many */
export function count(n, one, many) {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

/** How many people there are. @param {{ length: number }} people */
export function countPeople({ length }) {
  return count(length, "person", "people");
}
