/** The page for a code that leads nowhere: small, self-contained, readable on a phone. */
const notFoundPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>This code leads nowhere</title>
<style>
:root { color-scheme: light dark }
body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 28rem; margin: 20vh auto 0; padding: 0 1.5rem; text-align: center }
h1 { font-size: 1.5rem }
</style>
</head>
<body>
<main>
<h1>This code leads nowhere right now</h1>
<p>It may have been paused or removed by its owner. If you typed the address, please check it for a mistake.</p>
</main>
</body>
</html>
`;

const headers = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "x-content-type-options": "nosniff",
};

/** 404 for unknown, paused and deleted codes alike. Never cached: a paused code may come back any second. */
export function codeNotFound(): Response {
  return new Response(notFoundPage, { status: 404, headers });
}

/** 429 for an address that guesses hashes. What exists is still led on from there. */
export function tooManyMisses(): Response {
  return new Response("Too many codes that do not exist were tried from here. Please wait a minute.\n", {
    status: 429,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      "retry-after": "60",
    },
  });
}

/** 405: a code is only ever opened. */
export function notAllowed(): Response {
  return new Response("Only GET and HEAD open a code.\n", {
    status: 405,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", allow: "GET, HEAD" },
  });
}
