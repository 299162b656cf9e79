import { type Asset, makeAsset } from "../../http/replies/asset.ts";
import { type Html, html } from "./html.ts";

/**
 * A whole page around its content, in the look of the page for people.
 * @param here the link at the top that is marked as the current page
 */
export function pageAsset(title: string, content: Html, here = ""): Asset {
  const headers = { "content-security-policy": policy };
  return makeAsset("text/html; charset=utf-8", layout(title, content, here).text, headers);
}

function layout(title: string, content: Html, here: string): Html {
  const link = (path: string, text: string) =>
    html`<li><a href="${path}"${path === here ? html` aria-current="page"` : ""}>${text}</a></li>
`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Roost</title>
<link rel="icon" href="/page/favicon.svg">
<link rel="stylesheet" href="/page/base.css">
<link rel="stylesheet" href="/metadata/metadata.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="/">Roost</a>
<nav aria-label="About the operations">
<ul class="ways">
${link("/docs", "Reference")}${link("/metadata", "Operations")}${link("/openapi.json", "OpenAPI")}</ul>
</nav>
</header>
<main id="content">
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
}

/** Nothing from elsewhere, no script or style in the page itself, and no framing. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");
