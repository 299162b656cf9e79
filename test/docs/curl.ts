/** What curl would print. */
export interface CurlReply {
  /** The status line and the headers, in lower case. */
  head: string[];
  body: string;
}

/**
 * Does what curl would, for the few options that our pages use.
 * @param words the command, curl's name first
 * @param place where the host of a URL really is
 */
export async function curl(words: readonly string[], place: (url: string) => string): Promise<CurlReply> {
  const headers: Record<string, string> = {};
  let method: string | undefined;
  let body: string | undefined;
  let url = "";
  for (let at = 1; at < words.length; at++) {
    const word = words[at] as string;
    if (word === "-i") continue;
    else if (word === "-X") method = words[++at];
    else if (word === "-d") {
      body = words[++at];
      // As curl does: whatever -d holds is announced as a form.
      headers["content-type"] ??= "application/x-www-form-urlencoded";
    } else if (word === "--json") {
      body = words[++at];
      headers["content-type"] = "application/json";
    } else if (word === "-H") {
      const [name = "", value = ""] = (words[++at] as string).split(/: (.*)/);
      headers[name] = value;
    } else url = place(word);
  }
  const response = await fetch(url, { method: method ?? (body === undefined ? "GET" : "POST"), headers, body });
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`.toLowerCase());
  return {
    head: [`http/1.1 ${response.status} ${response.statusText}`.toLowerCase(), ...lines],
    body: await response.text(),
  };
}
