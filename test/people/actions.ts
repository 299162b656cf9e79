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

/** One of the actions, by its weight; undefined when there is nothing to do. */
export function pickAction(random: Random, people: readonly ModelPerson[]): Action | undefined {
  return random.pick(lots)(random, people);
}

/** Chooses an action of some of these users. */
type Make = (random: Random, people: readonly ModelPerson[]) => Action | undefined;

/** The actions, with how often each is done. */
const actions: readonly (readonly [weight: number, make: Make])[] = [
  [20, publish],
  [10, answer],
  [24, mark],
  [18, follow],
  [10, answerFollower],
  [5, editProfile],
  [8, remove],
  [5, hide("block", "blocked", addBlock)],
  [3, hide("mute", "muted", ({ mutes }, user) => mutes.add(user))],
];
const lots = actions.flatMap(([weight, make]) => Array<Make>(weight).fill(make));

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
    step() {
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
    },
  };
}

/** What a user does to another one. */
function toward(name: string, actor: ModelPerson, user: ModelPerson, step: () => Step): Action {
  return { name, actor, involved: [actor, user], step };
}

function follow(random: Random, people: readonly ModelPerson[]): Action {
  const [actor, user, following] = [random.pick(people), random.pick(people), random.percent(75)];
  return toward(following ? "follow" : "unfollow", actor, user, () => ({
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
  }));
}

function answerFollower(random: Random, people: readonly ModelPerson[]): Action {
  const actor = random.pick(people);
  const askers = people.filter(({ asked }) => asked.has(actor));
  const user = askers.length > 0 && random.percent(80) ? random.pick(askers) : random.pick(people);
  const approved = random.percent(75);
  return toward(approved ? "approve" : "turn down", actor, user, () => ({
    path: `/social/${user.name}/answer`,
    fields: { approved },
    status: actor === user ? 400 : user.isSuspended ? 403 : approved && !user.asked.has(actor) ? 404 : 200,
    apply() {
      user.asked.delete(actor);
      if (approved) user.follows.add(actor);
      else user.follows.delete(actor);
    },
    shows: () => ({ screen_name: user.name, following: actor.follows.has(user) }),
  }));
}

/** Blocks or mutes another user, or ends that. */
function hide(verb: "block" | "mute", field: string, apply: (actor: ModelPerson, user: ModelPerson) => void): Make {
  return (random, people) => {
    const [actor, user, isHiding] = [random.pick(people), random.pick(people), random.percent(60)];
    return toward(isHiding ? verb : `un${verb}`, actor, user, () => ({
      path: `/social/${user.name}/${verb}`,
      fields: { [field]: isHiding },
      status: actor === user ? 400 : user.isSuspended ? 403 : 200,
      apply() {
        if (isHiding) apply(actor, user);
        else actor[`${verb}s`].delete(user);
      },
      shows: () => ({ screen_name: user.name, following: actor.follows.has(user) }),
    }));
  };
}

function addBlock(actor: ModelPerson, user: ModelPerson): void {
  actor.blocks.add(user);
  for (const set of [actor.follows, actor.asked]) set.delete(user);
  for (const set of [user.follows, user.asked]) set.delete(actor);
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
