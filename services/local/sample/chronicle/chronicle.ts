import { boatyard } from "./boatyard.ts";
import { books } from "./books.ts";
import { ferry } from "./ferry.ts";
import { field } from "./field.ts";
import { kitchen } from "./kitchen.ts";
import { lamp } from "./lamp.ts";
import { lessons } from "./lessons.ts";
import { quay } from "./quay.ts";
import { today } from "./today.ts";
import { voices } from "./voices.ts";

/** All pages, in the notation of read-chronicle.ts. */
export const chronicle: readonly string[] = [
  today,
  lamp,
  ferry,
  quay,
  boatyard,
  kitchen,
  books,
  lessons,
  field,
  voices,
];
