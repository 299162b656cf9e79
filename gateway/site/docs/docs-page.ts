import { type Asset, makeAsset } from "../../http/replies/asset.ts";
import { html } from "../metadata/html.ts";

/** The page that Scalar fills. It reads its settings from the element, so that the page needs no script of its own. */
export function docsPage(): Asset {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reference – Roost</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs scripts. <a href="/metadata">The list of operations</a> does not.</noscript>
<div id="api-reference" data-url="/openapi.json" data-configuration="${JSON.stringify(settings)}"></div>
<script src="/docs/scalar.js"></script>
</body>
</html>
`;
  const headers = { "content-security-policy": policy };
  return makeAsset("text/html; charset=utf-8", page.text, headers);
}

/** Everything of Scalar that would ask another host is off. */
const settings = {
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  proxyUrl: "",
  agent: { disabled: true },
  mcp: { disabled: true },
};

/**
 * As strict as Scalar allows: scripts and requests are of our origin only, and nothing is evaluated. Styles are inline,
 * since Scalar adds style elements and attributes as it runs, most of them without a nonce.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");
