import * as assert from "uvu/assert";
import { shownUsersHeader, viewerVersionHeader } from "../../services/platform/connect/identity.ts";
import { setViewerState, viewerStateOf } from "../../services/social/rpc/viewer-reads.ts";
import { suite } from "../support/suite.ts";

const ViewerState = suite("the version of the viewer that a reply names");
const rowOf = (version: number | null, isOneRead = true) => ({
  viewer_version: version === null ? null : `${version}`,
  viewer_epoch: version === null ? null : "1",
  is_one_read: isOneRead,
});

/** The headers that name the state and the shown users. */
function namedBy(...[viewer, versions, userIds]: [bigint | undefined, (number | null)[], bigint[]?]) {
  const header = new Headers();
  const rows = versions.map((version) => rowOf(version));
  setViewerState(header, viewerStateOf(viewer, rows, userIds));
  return [header.get(viewerVersionHeader), header.get(shownUsersHeader)];
}

ViewerState("is that of all its rows, with each user who is shown once", () => {
  const [state, shown] = namedBy(7n, [3, 3], [1n, 2n, 1n]);
  assert.is(state, "7.3.0.1");
  assert.is(shown, "1,2");
  assert.is.not(namedBy(7n, [4], [])[0], state);
});

ViewerState("is not named where rows were read in several states: the reply would be cached under one of them", () => {
  assert.equal(namedBy(7n, [3, 4], [1n]), [null, null]);
  assert.equal(namedBy(7n, [3, null], [1n]), [null, null]);
});

ViewerState("is not named where a row was read in several statements, nor where two rows have other versions", () => {
  for (const rows of [
    [rowOf(3), rowOf(10)],
    [rowOf(10, false)],
    [rowOf(10), rowOf(10, false)],
    [rowOf(3), rowOf(null)],
  ]) {
    const header = new Headers();
    setViewerState(header, viewerStateOf(7n, rows, [1n]));
    assert.equal([...header], []);
  }
});

ViewerState("is not named by a reply without rows, or with rows that were read for no viewer", () => {
  assert.equal(namedBy(7n, [], []), [null, null]);
  assert.equal(namedBy(7n, [null], [1n]), [null, null]);
  assert.equal(namedBy(undefined, [3], [1n]), [null, null]);
});

ViewerState("is sent without the users for a reply that is not cached, and where a header cannot hold them all", () => {
  assert.is(namedBy(7n, [3])[1], null);
  const ids = Array.from({ length: 251 }, (_, index) => BigInt(index));
  assert.is(namedBy(7n, [3], ids)[1], null);
  assert.is(namedBy(7n, [3], ids.slice(1))[1]?.split(",").length, 250);
});

ViewerState.run();
