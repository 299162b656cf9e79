const attack = '<img src=x onerror="globalThis.pwned=1">"><script>globalThis.pwned=1</script>';
const script = "javascript:globalThis.pwned=1";

/** A user that no service would accept, but that the page must still show safely. */
export const hostileUser = {
  id: "1",
  name: attack,
  screen_name: "evil",
  description: `${attack} \u202e`,
  location: attack,
  url: script,
  lang: '"><svg onload=alert(1)>',
  created_at: attack,
  profile_image_url: script,
  profile_link_color: "red;background:url(https://steal.example)",
  profile_background_color: "</style>",
  profile_sidebar_border_color: "expression(1)",
  followers_count: 1,
  friends_count: 1,
  statuses_count: 1,
};

const link = { url: script, expanded_url: script, display_url: attack };

/** A status of that user: addresses that run scripts, indices out of order, a source with code. */
export const hostileStatus = {
  id: 1,
  text: `${attack} x x x`,
  created_at: attack,
  source: `<a href="${script}" onclick="globalThis.pwned=1">${attack}</a>`,
  retweet_count: attack,
  in_reply_to_screen_name: `"><b onclick=alert(1)>`,
  in_reply_to_status_id: 1,
  entities: {
    urls: [
      { ...link, display_url: "<img", indices: [0, 4] },
      { url: "data:text/html,x", expanded_url: "data:text/html,x", display_url: "x", indices: [2, 999] },
    ],
    user_mentions: [{ screen_name: `"><script>`, indices: [4, 5] }],
    hashtags: [{ text: attack, indicies: [5, 6] }],
    media: [{ ...link, media_url_https: script, sizes: { a: { w: -1, h: 0 } }, indices: [9, 3] }],
  },
};
