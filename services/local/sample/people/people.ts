import { institutions } from "./institutions.ts";
import type { Person } from "./person.ts";
import { residents } from "./residents.ts";

/** Everybody in town. */
export const people: readonly Person[] = [...institutions, ...residents];
