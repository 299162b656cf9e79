import type { LRUCache } from "lru-cache";
import type { Page } from "../http/replies/page.ts";
import type { Ask } from "./group.ts";
import type { Loads } from "./load.ts";
import type { LoadOnce } from "./load-once.ts";
import type { ReadOperation } from "./read-operation.ts";
import type { Shape } from "./shape.ts";
import type { Store } from "./store.ts";
import type { FindViewer } from "./viewer.ts";

/** What all cached operations share. */
export interface ReadParts {
  askVersions: Ask<string>;
  askSessions: Ask<string>;
  /** The users of sessions, which never change: whether a session stands is asked each time. */
  sessionUsers: LRUCache<string, string>;
  findViewer: FindViewer;
  /** undefined: nothing is stored. */
  store: Store | undefined;
  /** Which users a reply shows to viewers, by request and versions; without `userIds` they are too many to be listed. */
  shownUsers: LRUCache<string, { userIds: readonly string[] | undefined }>;
  loadOnce: LoadOnce<Page>;
  loadViewerOnce: LoadOnce<ViewerPage>;
}

/** A cached operation, compiled. */
export interface CachedOperation extends ReadOperation, Loads {
  parts: ReadParts;
  shape: Shape;
  /** Whether it leaves out unknown users, instead of refusing the request. */
  isLookup: boolean;
}

/** A page that was made for a viewer. */
export interface ViewerPage {
  page: Page;
  /** undefined: it is not stored. */
  key: string | undefined;
}
