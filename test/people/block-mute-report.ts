import type { Action, Make } from "./action.ts";
import type { ModelPerson } from "./model.ts";
import type { Random } from "./random.ts";

/** Blocks a user, or ends that. */
export const block: Make = (random, people) => {
  const [actor, user, blocked] = [random.pick(people), random.pick(people), random.percent(60)];
  const apply = () => {
    if (!blocked) return void actor.blocks.delete(user);
    actor.blocks.add(user);
    for (const [one, other] of [
      [actor, user],
      [user, actor],
    ] as const) {
      one.follows.delete(other);
      one.asked.delete(other);
    }
  };
  return between({ name: blocked ? "block" : "unblock", actor, user, path: "block", fields: { blocked }, apply });
};

/** Mutes a user, or ends that. */
export const mute: Make = (random, people) => {
  const [actor, user, muted] = [random.pick(people), random.pick(people), random.percent(60)];
  const apply = () => {
    if (muted) actor.mutes.add(user);
    else actor.mutes.delete(user);
  };
  return between({ name: muted ? "mute" : "unmute", actor, user, path: "mute", fields: { muted }, apply });
};

/** Reports a user to the operator. */
export const report: Make = (random: Random, people) => {
  const [actor, user] = [random.pick(people), random.pick(people)];
  return between({ name: "report", actor, user, path: "report", fields: { reason: "spam" }, apply: () => {} });
};

interface Write {
  name: string;
  actor: ModelPerson;
  user: ModelPerson;
  path: string;
  fields: Record<string, unknown>;
  apply(): void;
}

function between({ name, actor, user, path, fields, apply }: Write): Action {
  return {
    name,
    actor,
    involved: [actor, user],
    step: () => ({
      path: `/social/${user.name}/${path}`,
      fields,
      status: actor === user ? 400 : user.isSuspended ? 403 : 200,
      apply,
      shows: () => (path === "report" ? {} : { screen_name: user.name, following: actor.follows.has(user) }),
    }),
  };
}
