import type { ModelPerson, ModelStatus } from "./model.ts";
import type { Random } from "./random.ts";

/** What a person is about to do. */
export interface Action {
  name: string;
  actor: ModelPerson;
  /** Whose state it is about: nothing else happens to them meanwhile. The actor is among them. */
  involved: readonly ModelPerson[];
  /** Made when the involved are held; undefined when what was picked makes no sense any more. */
  step(): Step | undefined;
}

/** A request and what has to come of it. */
export interface Step {
  path: string;
  fields: Record<string, unknown>;
  /** As for an actor who is not suspended. */
  status: number;
  /** Makes it so in the model; gives those whose counters others moved. */
  apply?(results: Record<string, unknown>[]): ModelPerson[];
  /** What the first of the results has to say. */
  shows?(): Record<string, unknown>;
  /** Whether the actor's timeline has a new status whose id the reply does not tell. */
  adds?: { text: string; original: ModelStatus } | undefined;
}

/** Makes an action of some of these people; undefined where there is nothing to do it to. */
export type Make = (random: Random, people: readonly ModelPerson[]) => Action | undefined;
