/** One tweet of tweets.js, as long as those of X (about 1.7 KB); every fifth one replies to the one before. */
export function tweetJson(index: number): string {
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
