import { createServer } from "node:http";
import { listen, stopListening } from "../support/listen.ts";

/** A request that would change something if the cookie counted. A value `*` stands for a new name. */
export interface Attempt {
  path: string;
  fields: Record<string, string | boolean>;
}

/** Scripts of a page that make one attempt in all forms of a kind, and return the number of requests. */
export const attacksByScript = {
  "fetch, credentials × verb × body": `
    for (const credentials of ["include", "omit"]) {
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"]) {
          const body = type.includes("form") ? form() : json();
          await sent(fetch(url, { method, credentials, headers: { "content-type": type }, body }));
        }
      }
      await sent(fetch(query(), { credentials }));
    }`,
  "fetch without CORS": `
    for (const body of [json(), form(), new Blob([json()], { type: "text/plain" })]) {
      await sent(fetch(url, { method: "POST", mode: "no-cors", credentials: "include", body }));
    }
    await sent(fetch(query(), { mode: "no-cors", credentials: "include" }));`,
  "beacon, which outlives the page": `
    navigator.sendBeacon(url, form());
    navigator.sendBeacon(url, new Blob([json()], { type: "text/plain" }));
    count += 2;`,
  "script, with and without a callback": `
    globalThis.took = () => {};
    await loaded("script", "src", query());
    await loaded("script", "src", query() + "&callback=took");`,
  "image, style sheet, frame": `
    await loaded("img", "src", query());
    await loaded("link", "href", query());
    await loaded("iframe", "src", query());`,
  "form in a frame": `
    const frame = document.body.appendChild(Object.assign(document.createElement("iframe"), { name: "inside" }));
    for (const [method, type] of [["POST", ""], ["POST", "multipart/form-data"], ["POST", "text/plain"], ["GET", ""]]) {
      const done = new Promise((resolve) => (frame.onload = resolve));
      submit("inside", url, method, type);
      await Promise.race([done, late()]);
    }
    frame.remove();`,
} as const;

/** Scripts that navigate the window "popup", like a link or a form in a tab; each is one request. */
export const attacksByNavigation = {
  "top-level link": `open(query(), "popup"); count += 1;`,
  "top-level form, GET": `submit("popup", url, "GET", "");`,
  "top-level form, POST": `submit("popup", url, "POST", "");`,
  "top-level form, multipart": `submit("popup", url, "POST", "multipart/form-data");`,
  "top-level form, JSON as text/plain": `submit("popup", url, "POST", "text/plain");`,
  "redirect of a link": `open("/302?to=" + encodeURIComponent(query()), "popup"); count += 1;`,
  "redirect of a form, 307": `submit("popup", "/307?to=" + encodeURIComponent(url), "POST", "");`,
} as const;

/** The script of an attack on one attempt, as a page runs it; its value is the number of requests. */
export function attackScript(attack: string, home: string, { path, fields }: Attempt): string {
  return `(async () => {
    ${tools}
    const url = ${JSON.stringify(home + path)};
    const given = ${JSON.stringify(fields)};
    ${attack}
    return count;
  })()`;
}

const tools = `
  let count = 0;
  const values = () => Object.fromEntries(Object.entries(given).map(([name, value]) =>
    [name, value === "*" ? "c" + crypto.randomUUID().slice(0, 12) : value]));
  const json = () => JSON.stringify(values());
  const form = () => new URLSearchParams(values());
  const query = () => url + "?" + form();
  const late = () => new Promise((resolve) => setTimeout(resolve, 2000));
  const sent = (request) => { count += 1; return request.then((reply) => reply.text(), () => {}); };
  const loaded = (tag, attribute, address) => new Promise((resolve) => {
    count += 1;
    const made = document.createElement(tag);
    if (tag === "link") made.rel = "stylesheet";
    made.onload = made.onerror = () => { made.remove(); resolve(); };
    made[attribute] = address;
    document.body.append(made);
    setTimeout(resolve, 2000);
  });
  const submit = (target, action, method, enctype) => {
    count += 1;
    const made = Object.assign(document.createElement("form"), { target, action, method, enctype });
    const add = (name, value) => made.append(Object.assign(document.createElement("input"), { name, value }));
    // {"text":"x","=":"…"} is JSON in the syntax of a text/plain form: name=value.
    if (enctype === "text/plain") add(json().replace(/}$/, given && Object.keys(given).length ? ',"' : '"'), '":""}');
    else for (const [name, value] of Object.entries(values())) add(name, value);
    document.body.append(made);
    made.submit();
    made.remove();
  };`;

export interface AttackServer {
  port: string;
  stop(): Promise<void>;
}

/** A site of an attacker: an empty page at every path, and redirects at `/302` and `/307` to the address in `to`. */
export async function startAttackServer(): Promise<AttackServer> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://attacker.example");
    const status = Number(pathname.slice(1));
    if (status > 300) return void response.writeHead(status, { location: searchParams.get("to") ?? "/" }).end();
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<!doctype html><title>Attack</title>");
  });
  // Chromium resolves names under localhost to either loopback address.
  const port = await listen(server);
  return {
    port: `${port}`,
    stop: () => stopListening(server),
  };
}
