import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { withScript } from "../../lib/text/chinese.ts";
import { cacheControlOf } from "../../lib/web/page-cache.ts";
import { styleSource } from "../../lib/web/style-source.ts";
import { serviceStyles } from "./styles.ts";
import { directionOf, type PageTexts, scannerLanguage } from "./texts/catalogue.ts";
import type { PageNotice } from "./texts/texts.ts";

/** An HTML page and its Content-Security-Policy. */
export interface Document {
  readonly html: string;
  readonly policy: string;
}

/** A page of the service itself, which belongs to no workspace. Light or dark depending on the browser. */
export function serviceDocument(title: string, children: Child, language = "en"): Promise<Document> {
  const head = (
    <>
      <meta name="color-scheme" content="light dark" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    </>
  );
  return wrap({ language, title, css: serviceStyles, images: "'self'", head, children });
}

interface Parts {
  readonly language: string;
  readonly title: string;
  readonly titleMarks?: PageTexts["marks"];
  readonly css: string;
  /** The policy's image sources. */
  readonly images: string;
  /** Metadata for browsers, needed before they read the stylesheet, and for link previews. */
  readonly head: Child;
  readonly children: Child;
}

/** Wraps the content of a page for visitors. */
export async function wrap({
  language,
  title,
  titleMarks,
  css,
  images,
  head,
  children,
}: Parts): Promise<Document> {
  const rightToLeft = directionOf(language) === "rtl";
  const page = html`<!doctype html>${(
    <html lang={withScript(language)} dir={rightToLeft ? "rtl" : undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {head}
        <title {...titleMarks}>{title}</title>
        <style>{raw(css)}</style>
      </head>
      {/* A page may have no language set, and its text may be right to left. */}
      <body dir={rightToLeft ? undefined : "auto"}>
        <main>{children}</main>
      </body>
    </html>
  )}`;
  return {
    html: String(await page),
    policy:
      `default-src 'none'; style-src ${await styleSource(css)}; img-src ${images}; ` +
      "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  };
}

/** Responds with a page; without a body for a HEAD request. */
export function answerWith(
  request: Request,
  { html, policy }: Document,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  return new Response(request.method === "HEAD" ? null : html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": cacheControlOf(html),
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
}

/** Shows that a page doesn't exist. */
export const showMissing = (request: Request): Promise<Response> => showNotice(request, "missing", 404);

/** Shows a heading and a sentence in the visitor's language instead of a hosted page. */
export async function showNotice(
  request: Request,
  notice: PageNotice,
  status: number,
  headers?: Record<string, string>,
): Promise<Response> {
  const { texts, language } = scannerLanguage(request);
  const { title, text } = texts.pages[notice];
  const main = (
    <>
      <h1>{title}</h1>
      <p>{text}</p>
    </>
  );
  return answerWith(request, await serviceDocument(title, main, language.tag), status, headers);
}
