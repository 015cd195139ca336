import { escapeHtml } from "../../lib/text/html.ts";
import { cacheControlOf } from "../../lib/web/page-cache.ts";
import { scannerLanguage } from "../../ui/visitors/texts/catalogue.ts";
import { page, pageHeaders, reportLink } from "./pages.ts";
import { platformOf } from "./platform.ts";

/**
 * A page that opens an app immediately, by a refresh in its head that needs no script. Its button is for the many
 * browsers that open apps only after a tap. It also shows the message, for people without such an app, in the language
 * that the request prefers.
 * @param uri `sms:` or `mailto:`
 * @param hash of the code
 */
export function appLaunchPage(request: Request, uri: string, hash: string): Response {
  const { protocol, pathname, searchParams } = new URL(uri);
  const { texts, language } = scannerLanguage(request);
  const { apps, reportCode } = texts;
  const { title, open } = protocol === "sms:" ? apps.message : apps.mail;
  const subject = searchParams.get("subject");
  const body = searchParams.get("body");
  const isIos = platformOf(request.headers.get("user-agent") ?? "") === "ios";
  // An iPhone only fills in the message if an ampersand precedes it.
  const href = escapeHtml(isIos && protocol === "sms:" ? uri.replace("?", "?&") : uri);
  const main = [
    `<h1>${title}</h1>`,
    "<dl>",
    fact(apps.to, decodeURIComponent(pathname)),
    ...(subject === null ? [] : [fact(apps.subject, subject)]),
    "</dl>",
    ...(body === null ? [] : [`<blockquote dir="auto">${escapeHtml(body)}</blockquote>`]),
    `<p><a class="button" href="${href}">${open}</a></p>`,
    reportLink(hash, reportCode),
  ].join("\n");
  const head = `<meta http-equiv="refresh" content="0;url=${href}">\n`;
  const html = page({ title, main, head, language });
  return new Response(html, { headers: { ...pageHeaders, "cache-control": cacheControlOf(html) } });
}

const fact = (name: string, value: string): string =>
  `<dt>${name}</dt><dd dir="auto">${escapeHtml(value)}</dd>`;
