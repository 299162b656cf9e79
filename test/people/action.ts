import type { ModelPerson, ModelStatus } from "./model.ts";
import type { Random } from "./random.ts";

/** What a person is about to do. */
export interface Action {
  name: string;
  actor: ModelPerson;
  /** The users whose state it concerns, the actor among them. Nothing else happens to them meanwhile. */
  involved: readonly ModelPerson[];
  /** To be called when the involved are locked; undefined when the choice does not make sense any more. */
  step(): Step | undefined;
}

/** A request and its expected result. */
export interface Step {
  path: string;
  fields: Record<string, unknown>;
  /** The status for an actor who is not suspended. */
  status: number;
  /** Applies it to the model. */
  apply?(results: Record<string, unknown>[]): void;
  /** The expected fields of the first result. */
  shows?(): Record<string, unknown>;
  /** Whether the actor's timeline gets a new status whose id is not in the reply. */
  adds?: { text: string; original: ModelStatus } | undefined;
}

/** Chooses an action of some of these users; undefined when there is none. */
export type Make = (random: Random, people: readonly ModelPerson[]) => Action | undefined;
