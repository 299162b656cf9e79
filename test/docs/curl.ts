/** What curl prints. */
export interface CurlReply {
  /** The status line and the headers, in lower case. */
  head: string[];
  body: string;
}

/**
 * Sends a request like curl, with the few options that our pages use.
 * @param words the command, beginning with `curl`
 * @param place replaces the host of a URL by that of the test's system
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
      // Like curl: the type of -d is a form, whatever it contains.
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
