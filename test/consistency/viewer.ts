import type { Act, Writers } from "./clients.ts";
import { createSubject, type Subject } from "./facets.ts";
import type { History } from "./history.ts";

/** A user who reads, signed in most of the time: the session is ended repeatedly. */
export type Viewer = Awaited<ReturnType<typeof createViewer>>;

/** Registers a user who reads these two. */
export async function createViewer(writers: Writers, index: number, open: Subject, shy: Subject) {
  const user = { userName: `viewer${index}`, password: "correct horse" };
  const { userId } = await writers.one(({ account }) => account.registration(user));
  const signIn = () => writers.one(({ people }) => people.authenticate(user));
  const seenBy = (watched: Subject, at: number) =>
    createSubject(1_000 + 10 * index + at, watched.userId, watched.screenName, 0n);
  const [own, seenOpen, seenShy] = [seenBy(open, 0), seenBy(open, 1), seenBy(shy, 2)];
  let session = { id: (await signIn()).sessionId, number: 1 };
  const status = { authorId: open.userId, id: open.statuses[0] as bigint };

  return {
    userId,
    /** The newest session, which readers present also for a while after it was ended. */
    session: () => session,
    /** The session's history. */
    own,
    /** A public user as this viewer sees it, and a protected one, `shy`. */
    open: seenOpen,
    shy: seenShy,
    /** Each makes the next change: of the session, a relation or a mark. */
    changes: {
      async session() {
        const { id, number } = session;
        own.histories.session.begin();
        await writers.both(
          ({ people }) => people.authenticate({ provider: "logout", sessionId: id }),
          () => own.histories.session.acknowledge(`ended ${number}`),
        );
        const { sessionId } = await signIn();
        session = { id: sessionId, number: number + 1 };
        own.histories.session.begin();
        own.histories.session.acknowledge(`open ${number + 1}`);
      },
      openRelation: relation(writers, userId, seenOpen, false),
      shyRelation: relation(writers, userId, seenShy, true),
      mark: mark(writers, userId, seenOpen.histories.mark, status),
    },
  };
}

type Step = [act: Act<unknown>, relation: string, reading: string];

/** The steps of a relation: request, rejection or approval, notifications, removal or unfollow. */
function relation(writers: Writers, followerId: bigint, { userId, histories }: Subject, isShy: boolean) {
  const pair = { followerId, userId };
  const follow: Act<unknown> = ({ graph }, requestId) => graph.follow({ requestId, ...pair });
  const approve: Act<unknown> = ({ graph }, requestId) => graph.approveFollower({ requestId, ...pair });
  const remove: Act<unknown> = ({ graph }, requestId) => graph.removeFollower({ requestId, ...pair });
  const leave: Act<unknown> = ({ graph }, requestId) => graph.unfollow({ requestId, ...pair });
  const notify: Act<unknown> = ({ graph }, requestId) =>
    graph.setNotifications({ requestId, ...pair, notifications: true });
  const asking: Step[] = [
    [follow, "asked", "no"],
    [remove, "none", "no"],
    [follow, "asked", "no"],
    [approve, "follows", "yes"],
  ];
  const following: Step[] = [[follow, "follows", "yes"]];
  const steps: Step[] = [
    ...(isShy ? asking : following),
    [notify, "follows, notified", "yes"],
    [isShy ? remove : leave, "none", "no"],
  ];
  let next = 0;
  return async () => {
    const [act, relation, reading] = steps[next++ % steps.length] as Step;
    histories.relation.begin();
    // Only for a step that changes it: while a change is under way an unknown state is accepted.
    const isReadingChanged = reading !== histories.reading.latest;
    if (isReadingChanged) histories.reading.begin();
    const acknowledge = () => {
      histories.relation.acknowledge(relation);
      if (isReadingChanged) histories.reading.acknowledge(reading);
    };
    // A second approval under another request id would be 404: nobody asks any more.
    await writers.both(act, acknowledge, act === approve ? true : undefined);
  };
}

function mark(writers: Writers, userId: bigint, history: History, status: { authorId: bigint; id: bigint }) {
  return () => {
    const isMarked = history.latest === "true";
    return writers.change(history, `${!isMarked}`, ({ statuses }, requestId) =>
      statuses[isMarked ? "unfavorite" : "favorite"]({ requestId, userId, status }),
    );
  };
}
