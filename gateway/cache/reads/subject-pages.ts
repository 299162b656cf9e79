import type { Message } from "@bufbuild/protobuf";
import type { Cache, CachedPage } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import type { PublicError } from "../../http/errors/public-error.ts";
import type { Deadline } from "../../http/limits/deadline.ts";
import { type Page, type PageForm, plainPage } from "../../http/replies/page.ts";
import type { AnonymousLoaders, LocalReply } from "../../http/replies/reply-loaders.ts";
import { textsOf } from "../../rendering/wire-reader.ts";
import type { CacheCounts } from "../cache-metrics.ts";
import type { Pages } from "../pages/page-cache.ts";
import type { ViewerPages } from "../pages/viewer-pages.ts";
import type { Viewer } from "../pages/viewer-part.ts";
import { isAbsent, shownState } from "../tokens/absent-token.ts";
import type { FreshnessToken } from "../tokens/freshness-tokens.ts";
import type { TokenList } from "../tokens/token-lists.ts";
import { batchRead } from "./batch-read.ts";
import type { AnonymousRead, CachedReads, FindPage, LocalPage, ReadCache, ReadOperation } from "./cached-read.ts";
import { createLoadPages } from "./load-pages.ts";
import { compilePageRequest } from "./page-request.ts";
import { textField } from "./text-field.ts";
import { createUnknownSubjects } from "./unknown-subject.ts";
import { type ShownUsers, viewerRead } from "./viewer-read.ts";

/**
 * An operation whose reply is a page of one user, from cached pages. The service's answer has the token of the state that it
 * shows, so a page that was rendered while its user wrote is cached under its own state. The only refusal that is cached is that no
 * user has the name, which is the same for all callers: it is thrown as a PublicError.
 * @param readCache undefined: each page comes from its service
 * @throws Error for an annotation that cannot be served
 */
export function subjectPages(
  operation: ReadOperation,
  cache: Cache,
  kind: CachedPage,
  counts: Pick<CacheCounts, "batches">,
  readCache: ReadCache | undefined,
): CachedReads {
  const request = compilePageRequest(operation.method.input, cache, kind);
  const load = createLoadPages(operation, cache, kind, request, counts);
  const state = textField(operation.method.output, cache.version);
  const shown: ShownUsers = {
    nameKeys(input) {
      const nameKey = request.nameKey(input);
      return nameKey === undefined ? undefined : [nameKey];
    },
    which: request.whichPage,
    seen(wire, input) {
      const [token = ""] = textsOf(wire, state.number);
      return new Map([[request.nameKey(input) as string, token]]);
    },
  };
  const uncached: AnonymousRead = (input) => ({
    load: async (_form, deadline) => plainPage(await load(input, deadline)),
    local: undefined,
  });
  if (readCache === undefined) return { anonymous: uncached, viewer: undefined, batch: undefined };
  const { tokensOf, pages } = readCache;
  const unknownSubject = createUnknownSubjects();
  // A page that mostly one client asks for is stored in Redis only at its first hit.
  const resourceOf = (input: Message) => `${operation.name}:${request.whichPage(input)}`;
  const pagesOf = (input: Message, resource = resourceOf(input)) => pages.of(resource, request.isCommon(input));
  const localPageOf = (input: Message): LocalPage | undefined => {
    const nameKey = request.nameKey(input);
    if (nameKey === undefined) return undefined;
    const resource = resourceOf(input);
    return new LocalSubjectPage(nameKey, resource, pagesOf(input, resource), readCache.viewerPages);
  };

  /** The cached page of one request. The fast path stores one for each target. */
  class SubjectPage implements AnonymousLoaders, LocalReply {
    readonly states: TokenList;
    readonly #input: Message;
    readonly #pages: Pages;
    readonly #unknown = unknownSubject();

    constructor(nameKey: string, input: Message) {
      this.states = tokensOf([nameKey]);
      this.#input = input;
      this.#pages = pagesOf(input);
    }

    get local(): LocalReply {
      return this;
    }

    async load(form: PageForm, deadline: Deadline, tokens?: readonly FreshnessToken[]): Promise<Page> {
      const [token] = (tokens ?? (await this.states.read(deadline))) as [FreshnessToken];
      const make = () => load(this.#input, deadline);
      if (!isAbsent(token)) return this.#pages.get(token, form, make);
      // Other names have the same token, so requests must not share what is loaded for it.
      const page = await this.#unknown.refuseOr(token, make);
      return this.#pages.get(page.state, form, async () => page);
    }

    find([token = ""]: readonly FreshnessToken[], form: PageForm): Page | PublicError | undefined {
      return isAbsent(token) ? this.#unknown.refusal(token) : this.#pages.find(token, form);
    }
  }

  const anonymous: AnonymousRead = (input) => {
    const nameKey = request.nameKey(input);
    return nameKey === undefined ? uncached(input) : new SubjectPage(nameKey, input);
  };
  const viewer = viewerRead(operation, { ...shown, unknownSubject }, readCache);
  return { anonymous, viewer, batch: batchRead(localPageOf, readCache) };
}

/** The page of a batch's item. */
class LocalSubjectPage implements LocalPage {
  readonly subjectKeys: readonly [string];
  readonly #resource: string;
  readonly #pages: Pages;
  readonly #viewerPages: ViewerPages;

  constructor(nameKey: string, resource: string, pages: Pages, viewerPages: ViewerPages) {
    this.subjectKeys = [nameKey];
    this.#resource = resource;
    this.#pages = pages;
    this.#viewerPages = viewerPages;
  }

  forViewer(viewer: Viewer, tokens: readonly FreshnessToken[]): FindPage | undefined {
    return this.#viewerPages.local(this.#resource, tokens.map(shownState), viewer);
  }

  find([token = ""]: readonly FreshnessToken[]): Page | undefined {
    return isAbsent(token) ? undefined : this.#pages.find(token, "identity");
  }
}
