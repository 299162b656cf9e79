/** How much work an Argon2 hash is. */
export interface HashParameters {
  /** KiB. */
  memory: number;
  passes: number;
}

/** Whether a hash in PHC form was made with less memory or fewer passes than wanted. One that is not in that form was. */
export function isWeaker(phc: string, wanted: HashParameters): boolean {
  const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(phc) ?? [];
  return !(Number(memory) >= wanted.memory && Number(passes) >= wanted.passes);
}
