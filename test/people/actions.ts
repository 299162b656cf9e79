import {
  addStatus,
  counted,
  isBlockBetween,
  type ModelPerson,
  type ModelStatus,
  mayRead,
  removeStatus,
  stands,
} from "./model.ts";
import type { Random } from "./random.ts";
import { singleStatus } from "./readers.ts";

/** Blocks a user, or ends that. */
const block: Make = (random, people) => {
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
const mute: Make = (random, people) => {
  const [actor, user, muted] = [random.pick(people), random.pick(people), random.percent(60)];
  const apply = () => {
    if (muted) actor.mutes.add(user);
    else actor.mutes.delete(user);
  };
  return between({ name: muted ? "mute" : "unmute", actor, user, path: "mute", fields: { muted }, apply });
};

/** Reports a user to the operator. */
const report: Make = (random: Random, people) => {
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

/** The actions, with how often each is done. */
export const actions: readonly (readonly [weight: number, make: Make])[] = [
  [20, publish],
  [10, answer],
  [24, mark],
  [18, follow],
  [10, answerFollower],
  [5, editProfile],
  [8, remove],
  [5, block],
  [3, mute],
  [2, report],
];

/** One of the actions, by its weight. */
export function pickAction(random: Random, people: readonly ModelPerson[]): Action | undefined {
  const total = actions.reduce((sum, [weight]) => sum + weight, 0);
  let at = random.next() * total;
  const [, make] = actions.find(([weight]) => (at -= weight) < 0) ?? (actions[0] as (typeof actions)[number]);
  return make(random, people);
}

const words = ["tide", "灯台", "😀 gull", "#port", "https://a.example/x", "مرحبا"];

function publish(random: Random, people: readonly ModelPerson[]): Action {
  const actor = random.pick(people);
  const text = `${random.pick(words)} ${Math.floor(random.next() * 1e6)}`;
  return {
    name: "publish",
    actor,
    involved: [actor],
    step: () => ({
      path: "/timelines/publish",
      fields: { text },
      status: 200,
      apply(results) {
        addStatus(actor, Number(results[0]?.id), text);
      },
      shows: () => ({ text, favorited: false, retweeted: false, retweet_count: "0" }),
    }),
  };
}

/** A status that exists, or existed a moment ago. */
function pickStatus(random: Random, people: readonly ModelPerson[]): ModelStatus | undefined {
  const { statuses } = random.pick(people);
  return statuses.length === 0 ? undefined : random.pick(statuses.slice(-8));
}

function answer(random: Random, people: readonly ModelPerson[]): Action | undefined {
  const actor = random.pick(people);
  const status = pickStatus(random, people);
  if (status === undefined) return undefined;
  const text = `@${status.author.name} yes ${Math.floor(random.next() * 1e6)}`;
  return {
    name: "answer",
    actor,
    involved: [actor, status.author, counted(status).author],
    step: () => ({
      path: "/timelines/publish",
      fields: { text, inReplyToScreenName: status.author.name, inReplyToStatusId: status.id },
      status: stands(status) ? singleStatus(actor, status) : 404,
      apply(results) {
        addStatus(actor, Number(results[0]?.id), text, { inReplyTo: status.id });
      },
      shows: () => ({ text, in_reply_to_status_id: status.id, in_reply_to_screen_name: status.author.name }),
    }),
  };
}

function mark(random: Random, people: readonly ModelPerson[]): Action | undefined {
  const actor = random.pick(people);
  const status = pickStatus(random, people);
  if (status === undefined) return undefined;
  const original = counted(status);
  const marks: { favorited?: boolean; retweeted?: boolean } = {};
  if (random.percent(60)) marks.favorited = random.percent(75);
  if (marks.favorited === undefined || random.percent(30)) marks.retweeted = random.percent(70);
  return {
    name: "mark",
    actor,
    involved: [actor, status.author, original.author],
    step: () => markStep(actor, status, original, marks),
  };
}

function markStep(
  actor: ModelPerson,
  status: ModelStatus,
  original: ModelStatus,
  marks: { favorited?: boolean; retweeted?: boolean },
): Step {
  const isReadable = mayRead(actor, status.author) && mayRead(actor, original.author);
  const isAllowed = isReadable && !(marks.retweeted && original.author.isProtected);
  const isNew = marks.retweeted === true && !original.reposts.has(actor);
  return {
    path: `/social/${status.author.name}/timelines/${status.id}/mark`,
    fields: marks,
    status: !stands(status) || (status.original && original.author.isSuspended) ? 404 : isAllowed ? 200 : 403,
    adds: isNew ? { text: `RT @${original.author.name}: ${original.text}`, original } : undefined,
    apply() {
      if (marks.favorited === true) original.favouredBy.add(actor);
      if (marks.favorited === false) original.favouredBy.delete(actor);
      const repost = original.reposts.get(actor);
      if (marks.retweeted === false && repost !== undefined) removeStatus(repost);
    },
    shows: () => ({
      id: (stands(status) ? status : original).id,
      favorited: original.favouredBy.has(actor),
      retweeted: original.reposts.has(actor) || isNew,
    }),
  };
}

function follow(random: Random, people: readonly ModelPerson[]): Action {
  const [actor, user] = [random.pick(people), random.pick(people)];
  const following = random.percent(75);
  return {
    name: following ? "follow" : "unfollow",
    actor,
    involved: [actor, user],
    step: () => ({
      path: `/social/${user.name}/follow`,
      fields: following && random.percent(50) ? {} : { following },
      status: actor === user ? 400 : user.isSuspended || (following && isBlockBetween(actor, user)) ? 403 : 200,
      apply() {
        if (!following) actor.follows.delete(user);
        else if (!user.isProtected) actor.follows.add(user);
        if (following && !actor.follows.has(user)) actor.asked.add(user);
        else actor.asked.delete(user);
      },
      shows: () => ({ following: actor.follows.has(user), follow_request_sent: actor.asked.has(user) }),
    }),
  };
}

function answerFollower(random: Random, people: readonly ModelPerson[]): Action {
  const actor = random.pick(people);
  const askers = people.filter(({ asked }) => asked.has(actor));
  const user = askers.length > 0 && random.percent(80) ? random.pick(askers) : random.pick(people);
  const approved = random.percent(75);
  return {
    name: approved ? "approve" : "turn down",
    actor,
    involved: [actor, user],
    step: () => ({
      path: `/social/${user.name}/answer`,
      fields: { approved },
      status: answerStatus(actor, user, approved),
      apply() {
        user.asked.delete(actor);
        if (approved) user.follows.add(actor);
        else user.follows.delete(actor);
      },
      shows: () => ({ screen_name: user.name, following: actor.follows.has(user) }),
    }),
  };
}

function answerStatus(actor: ModelPerson, user: ModelPerson, approved: boolean): number {
  if (actor === user) return 400;
  if (user.isSuspended) return 403;
  return approved && !user.asked.has(actor) ? 404 : 200;
}

function editProfile(random: Random, people: readonly ModelPerson[]): Action {
  const actor = random.pick(people);
  const description = `${random.pick(words)} ${Math.floor(random.next() * 1e6)}`;
  const isProtected = random.percent(40);
  // Others' views depend on it.
  const reposters = repostersOf(actor);
  return {
    name: isProtected ? "protect" : "open",
    actor,
    involved: [actor, ...reposters],
    step() {
      // Others reposted them while this action waited for its locks.
      if (repostersOf(actor).some((reposter) => !reposters.includes(reposter))) return undefined;
      return {
        path: "/profile",
        fields: { description, protected: isProtected },
        status: 200,
        apply() {
          Object.assign(actor, { description, isProtected });
        },
        shows: () => ({ description, protected: isProtected }),
      };
    },
  };
}

function repostersOf({ statuses }: ModelPerson): ModelPerson[] {
  return [...new Set(statuses.flatMap(({ reposts }) => [...reposts.keys()]))];
}

function remove(random: Random, people: readonly ModelPerson[]): Action | undefined {
  const actor = random.pick(people);
  const status = random.percent(90) ? pickStatus(random, [actor]) : pickStatus(random, people);
  if (status === undefined) return undefined;
  const touched = [...status.reposts.keys(), counted(status).author];
  return {
    name: "delete",
    actor,
    involved: [actor, status.author, ...touched],
    step() {
      // Others reposted it while this action waited for its locks.
      if ([...status.reposts.keys()].some((reposter) => !touched.includes(reposter))) return undefined;
      return {
        path: "/timelines/delete",
        fields: { id: status.id },
        status: status.author === actor && stands(status) ? 200 : 404,
        apply: () => removeStatus(status),
      };
    },
  };
}

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
type Make = (random: Random, people: readonly ModelPerson[]) => Action | undefined;
