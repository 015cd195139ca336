import { escapeHtml } from "../lib/text/html.ts";
import type { RouteSuspension } from "../protocol/routes.ts";

/** The pages' only stylesheet. The policy below allows it by its hash; a test compares the two. */
const style = `:root { color-scheme: light dark }
body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 28rem; margin: 20vh auto 2rem; padding: 0 1.5rem; text-align: center }
h1 { font-size: 1.5rem }
p, blockquote { overflow-wrap: anywhere }
blockquote { margin: 1.5rem 0; text-align: start; white-space: pre-wrap }
.button { display: inline-block; padding: 0.75rem 1.5rem; border-radius: 0.5rem; background: #1d4ed8; color: #fff; font-weight: 600; text-decoration: none }
.report { margin-top: 4rem; font-size: 0.875rem }
.report a { color: inherit }
.button:focus-visible { outline: 3px solid; outline-offset: 3px }`;

const headers = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'sha256-b3ms6Ym4n3+qECQ0JEABN3AeRKx7gxi6fyEeTA6SnmI='; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

/** A small, self-contained page. @param main HTML of its content @param head more HTML for its head */
const page = (title: string, main: string, head = ""): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${head}<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;

/** A link to the form by which a code is reported. It shows nothing of whether the code exists. */
const reportLink = (hash: string): string =>
  `<p class="report"><a href="/report?hash=${hash}">Report this code</a></p>`;

const notFoundMain = `<h1>This code leads nowhere right now</h1>
<p>It may have been paused or removed by its owner. If you typed the address, please check it for a mistake.</p>`;

const suspendedPage = page(
  "This code has been switched off",
  `<h1>This code has been switched off</h1>
<p>The operator of this service has switched it off. There is nothing wrong with your device or your connection.</p>`,
);

const unavailablePage = page(
  "Please try again",
  `<h1>This code can't be opened right now</h1>
<p>The fault is on our side, and the code is fine. Please try again in a few seconds.</p>`,
);

const missingPage = page(
  "Page not found",
  `<h1>There is no such page</h1>
<p>Please check the address for a mistake.</p>
<p><a class="button" href="/dashboard">Open the dashboard</a></p>`,
);

const apps = {
  "sms:": { title: "Send a message", button: "Open messages" },
  "mailto:": { title: "Write an e-mail", button: "Open mail" },
};

/**
 * A page that opens an app at once, and has a button for browsers that require a tap: many ignore a plain redirect to an
 * app. It also shows the message, for people without such an app. The refresh in its head needs no script.
 * @param uri `sms:` or `mailto:`
 * @param hash of the code
 */
export function appLaunchPage(uri: string, hash: string): Response {
  const { protocol, pathname, searchParams } = new URL(uri);
  const { title, button } = apps[protocol === "sms:" ? "sms:" : "mailto:"];
  const subject = searchParams.get("subject");
  const body = searchParams.get("body");
  const href = escapeHtml(uri);
  const main = [
    `<h1>${title}</h1>`,
    `<p>To <strong dir="auto">${escapeHtml(decodeURIComponent(pathname))}</strong></p>`,
    ...(subject === null ? [] : [`<p>Subject: <span dir="auto">${escapeHtml(subject)}</span></p>`]),
    ...(body === null ? [] : [`<blockquote dir="auto">${escapeHtml(body)}</blockquote>`]),
    `<p><a class="button" href="${href}">${button}</a></p>`,
    reportLink(hash),
  ];
  const refresh = `<meta http-equiv="refresh" content="0;url=${href}">\n`;
  return new Response(page(title, main.join("\n"), refresh), { headers });
}

/**
 * 404 for unknown, paused and deleted codes alike. Never cached: a paused code may come back any second.
 * @param hash that was looked up; none for a path that can't be a code's
 */
export function codeNotFound(hash?: string): Response {
  const main = hash === undefined ? notFoundMain : `${notFoundMain}\n${reportLink(hash)}`;
  return new Response(page("This code leads nowhere", main), { status: 404, headers });
}

/** 403 for a code that the operator has suspended, or 451 on a legal order. It says neither why nor where the code led. */
export function codeSuspended({ legalOrder }: RouteSuspension): Response {
  return new Response(suspendedPage, { status: legalOrder ? 451 : 403, headers });
}

/** 404 on the host of the dashboard and the API, where no path is a code. */
export function pageNotFound(): Response {
  return new Response(missingPage, { status: 404, headers });
}

/** 503 when a code can't be looked up: the catalogue can't be read, or too many look-ups of one network are under way. */
export function codeUnavailable(): Response {
  return new Response(unavailablePage, { status: 503, headers: { ...headers, "retry-after": "10" } });
}

/** 429 for an unknown hash, to a network that looks up too many of them. Codes that exist are still answered. */
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

/** 405: a code can only be opened. */
export function methodNotAllowed(): Response {
  return new Response("Only GET and HEAD open a code.\n", {
    status: 405,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", allow: "GET, HEAD" },
  });
}
