/** A number with its noun: `1 reply`, `1,200 replies`. @param {number} n @param {string} one @param {string} many */
export function count(n, one, many) {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

/** `1 person`, `2 people`. @param {{ length: number }} people */
export function countPeople({ length }) {
  return count(length, "person", "people");
}
