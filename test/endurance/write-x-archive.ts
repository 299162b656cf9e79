import { once } from "node:events";
import { closeSync, openSync, writeSync } from "node:fs";
import { crc32, createDeflateRaw } from "node:zlib";

/** One tweet of tweets.js, as long as those of X (about 1.7 KB); every fifth one replies to the one before. */
function tweetJson(index: number): string {
  const id = `${firstId + BigInt(index) * 4_194_304_000n}`;
  const milliseconds = Number(BigInt(id) >> 22n) + 1_288_834_974_657;
  const [, weekday, day, month, year, time] =
    /^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/.exec(new Date(milliseconds).toUTCString()) ?? [];
  const answers = index % 5 === 0 && index > 1;
  const text = `@example_user ${wordsOf(index)} #tag${index % 100} https://t.co/${id.slice(-10)}`;
  const tweet = {
    edit_info: {
      initial: {
        editTweetIds: [id],
        editableUntil: new Date(milliseconds).toISOString(),
        editsRemaining: "5",
        isEditEligible: true,
      },
    },
    retweeted: false,
    source: '<a href="https://mobile.twitter.com" rel="nofollow">Twitter Web App</a>',
    entities: {
      hashtags: [{ text: `tag${index % 100}`, indices: ["100", "106"] }],
      symbols: [],
      user_mentions: [
        { name: "Example User", screen_name: "example_user", indices: ["0", "13"], id_str: "12", id: "12" },
      ],
      urls: [
        {
          url: `https://t.co/${id.slice(-10)}`,
          expanded_url: `https://example.com/articles/${id}/${wordsOf(index + 1).replaceAll(" ", "-")}`,
          display_url: "example.com/articles/…",
          indices: ["107", "130"],
        },
      ],
    },
    display_text_range: ["0", "130"],
    favorite_count: `${index % 50}`,
    id_str: id,
    truncated: false,
    retweet_count: `${index % 9}`,
    id,
    possibly_sensitive: false,
    created_at: `${weekday} ${month} ${day} ${time} +0000 ${year}`,
    favorited: false,
    full_text: text,
    lang: "en",
    ...(answers && {
      in_reply_to_status_id_str: `${BigInt(id) - 4_194_304_000n}`,
      in_reply_to_status_id: `${BigInt(id) - 4_194_304_000n}`,
      in_reply_to_user_id: "2244994945",
      in_reply_to_user_id_str: "2244994945",
      in_reply_to_screen_name: "owner",
    }),
  };
  return JSON.stringify({ tweet }, null, 2);
}

// One second apart, from 2012 on.
const firstId = 153_000_000_000_000_000n;

function wordsOf(seed: number): string {
  let state = seed * 2_654_435_761;
  return Array.from({ length: 9 }, () => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state.toString(36).slice(-7);
  }).join(" ");
}

/** The size of an archive. */
export interface ArchiveSize {
  tweets: number;
  /** Bytes of pictures in addition, which do not compress. */
  mediaBytes?: number;
}

/** Writes an archive in the form of X (APPNOTE 4.3), piece by piece; returns the unpacked size of its tweets in bytes. */
export async function writeXArchive(path: string, { tweets, mediaBytes = 0 }: ArchiveSize): Promise<number> {
  const zip = new ZipWriter(path);
  try {
    await zip.add("data/account.js", ['window.YTD.account.part0 = [{"account":{"accountId":"2244994945"}}]']);
    const size = await zip.add("data/tweets.js", tweetsFile(tweets));
    for (let left = mediaBytes; left > 0; left -= pictureBytes) {
      zip.store(`data/tweets_media/${left}.jpg`, Buffer.alloc(Math.min(left, pictureBytes), left));
    }
    return size;
  } finally {
    zip.end();
  }
}

const pictureBytes = 4 * 1024 ** 2;

function* tweetsFile(tweets: number): Generator<string> {
  yield "window.YTD.tweets.part0 = [\n";
  // The newest first, as X does.
  let piece = "";
  for (let index = tweets; index > 0; index--) {
    piece += `${tweetJson(index)}${index > 1 ? "," : ""}\n`;
    if (index % 100 > 0) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}]\n`;
}

class ZipWriter {
  readonly #file: number;
  readonly #directory: Buffer[] = [];
  #at = 0;

  constructor(path: string) {
    this.#file = openSync(path, "w");
  }

  /** Compresses a file that comes in pieces. Its header is written last, when its sizes are known. */
  async add(name: string, pieces: Iterable<string>): Promise<number> {
    const start = this.#at;
    this.#write(Buffer.alloc(30 + name.length));
    const deflate = createDeflateRaw();
    let [sum, size, packed] = [0, 0, 0];
    deflate.on("data", (chunk: Buffer) => {
      packed += chunk.length;
      this.#write(chunk);
    });
    const ended = once(deflate, "end");
    for (const piece of pieces) {
      const bytes = Buffer.from(piece);
      sum = crc32(bytes, sum);
      size += bytes.length;
      if (!deflate.write(bytes)) await once(deflate, "drain");
    }
    deflate.end();
    await ended;
    this.#head(name, start, { method: 8, sum, packed, size });
    return size;
  }

  store(name: string, bytes: Buffer): void {
    const start = this.#at;
    this.#write(Buffer.alloc(30 + name.length));
    this.#write(bytes);
    this.#head(name, start, { method: 0, sum: crc32(bytes), packed: bytes.length, size: bytes.length });
  }

  end(): void {
    const start = this.#at;
    this.#write(Buffer.concat(this.#directory));
    const end = Buffer.alloc(22);
    end.write("PK\x05\x06", 0, "latin1");
    end.writeUInt16LE(this.#directory.length, 8);
    end.writeUInt16LE(this.#directory.length, 10);
    end.writeUInt32LE(this.#at - start, 12);
    end.writeUInt32LE(start, 16);
    this.#write(end);
    closeSync(this.#file);
  }

  #head(name: string, start: number, is: { method: number; sum: number; packed: number; size: number }): void {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(is.method, 4);
    common.writeUInt32LE(is.sum, 10);
    common.writeUInt32LE(is.packed, 14);
    common.writeUInt32LE(is.size, 18);
    common.writeUInt16LE(name.length, 22);
    writeSync(this.#file, Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name)]), 0, undefined, start);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(start, 10);
    this.#directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x03"), common, rest, Buffer.from(name)]));
  }

  #write(bytes: Uint8Array): void {
    writeSync(this.#file, bytes, 0, bytes.length, this.#at);
    this.#at += bytes.length;
  }
}
