import { readFileSync } from "node:fs";
import { type Html, html } from "../metadata/html.ts";
import type { LinkPreview } from "./link-preview.ts";

/** What the page knows from the start. */
export interface PageSettings {
  /** Weighted characters. */
  statusLength: number;
  /** Code points. */
  passwordMinLength: number;
  /** Whether people can sign in here. */
  canSignIn: boolean;
}

/** What one request adds to the page. */
export interface PageFacts {
  /** Whether the request has a session's cookie, valid or not: no script can read it. */
  hasCookie: boolean;
  /** Where the request was sent, such as `https://roost.example`; "" when that is not known. */
  origin: string;
  preview?: LinkPreview | undefined;
}

/**
 * Prepares the page, which names the files of this version and the settings, with links that preload its modules, so that a browser asks
 * for all at once.
 * @param files names below /page/
 */
export function createPageHtml(
  files: readonly string[],
  version: string,
  settings: PageSettings,
): (facts: PageFacts) => string {
  const page = readFileSync(new URL("public/index.html", import.meta.url), "utf8");
  const modules = files.filter((name) => name.endsWith(".js") && !name.startsWith("generated/"));
  const links = modules.map((name) => `<link rel="modulepreload" href="/page/${name}">\n`);
  const body = html`<body data-status-length="${settings.statusLength}" data-password-length="${settings.passwordMinLength}" data-can-sign-in="${`${settings.canSignIn}`}"`;
  const whole = page
    .replace("</head>", `${links.join("")}</head>`)
    .replaceAll('"/page/', `"/page/${version}/`)
    .replace("<body", () => body.text);
  const [start = "", end = ""] = whole.split(/<meta name="description"[^]*<\/title>/);
  return ({ hasCookie, origin, preview }) => {
    const rest = hasCookie ? end.replace("<body", '<body data-has-cookie="true"') : end;
    return start + (preview === undefined ? plain : previewTags(preview, origin)).text + rest;
  };
}

const plain = html`<meta name="description" content="Find people, and read what they say.">
<title>Roost</title>`;

function previewTags({ title, description, path, type, picture, isLarge }: LinkPreview, origin: string): Html {
  const address =
    origin === ""
      ? ""
      : html`<link rel="canonical" href="${origin}${path}">
<meta property="og:url" content="${origin}${path}">
`;
  const image = picture?.startsWith("/") ? origin && `${origin}${picture}` : picture;
  return html`<meta name="description" content="${description}">
<title>${title} – Roost</title>
${address}<meta property="og:site_name" content="Roost">
<meta property="og:type" content="${type}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
${
  image
    ? html`<meta property="og:image" content="${image}">
`
    : ""
}<meta name="twitter:card" content="${isLarge ? "summary_large_image" : "summary"}">`;
}
