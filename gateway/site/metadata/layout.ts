import { type Html, html } from "./html.ts";

/** A whole page around its content. */
export function layout(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Roost</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/metadata/metadata.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<nav aria-label="Discovery">
<a href="/metadata">Operations</a>
<a href="/docs">Reference</a>
<a href="/openapi.json">OpenAPI</a>
</nav>
</header>
<main id="content">
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
}
