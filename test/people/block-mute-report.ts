import type { Action, Make } from "./action.ts";
import type { ModelPerson } from "./model.ts";
import type { Random } from "./random.ts";

/** Blocks a user, or ends that. */
export const block: Make = (random, people) => {
  const [actor, user, blocked] = [random.pick(people), random.pick(people), random.percent(60)];
  return between(blocked ? "block" : "unblock", actor, user, "block", { blocked }, () => {
    if (!blocked) return void actor.blocks.delete(user);
    actor.blocks.add(user);
    for (const [one, other] of [
      [actor, user],
      [user, actor],
    ] as const) {
      one.follows.delete(other);
      one.asked.delete(other);
    }
  });
};

/** Mutes a user, or ends that. */
export const mute: Make = (random, people) => {
  const [actor, user, muted] = [random.pick(people), random.pick(people), random.percent(60)];
  return between(muted ? "mute" : "unmute", actor, user, "mute", { muted }, () => {
    if (muted) actor.mutes.add(user);
    else actor.mutes.delete(user);
  });
};

/** Reports a user to the operator. */
export const report: Make = (random: Random, people) => {
  const [actor, user] = [random.pick(people), random.pick(people)];
  return between("report", actor, user, "report", { reason: "spam" }, () => {});
};

function between(
  name: string,
  actor: ModelPerson,
  user: ModelPerson,
  path: string,
  fields: Record<string, unknown>,
  apply: () => void,
): Action {
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
