/** What a text refers to. Each list is in the order of the text, and no two entities overlap. */
export interface FoundEntities {
  urls: FoundUrl[];
  mentions: FoundMention[];
  hashtags: FoundHashtag[];
}

/** A link as it is written, with or without a scheme. */
export interface FoundUrl extends Span {
  url: string;
}

/** A user named after "@"; the span includes the mark, the name does not. Whether there is such a user is not known here. */
export interface FoundMention extends Span {
  screenName: string;
}

/** A word after "#"; the span includes the mark, the text does not. */
export interface FoundHashtag extends Span {
  text: string;
}

/** A half-open range [start, end) of the text, counted in Unicode code points. */
export interface Span {
  start: number;
  end: number;
}
