import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { PageContent } from "../contract/resources/pages.ts";
import { resolvePalettes } from "../domain/pages/palette.ts";
import { styleSource } from "../lib/web/style-source.ts";
import { pageIcon } from "./icon.ts";
import { type PageStyle, serviceStyles, hostedPageStyles } from "./styles.ts";
import { directionOf, type PageTexts } from "./texts/catalogue.ts";

/** An HTML page and its Content-Security-Policy. */
export interface Document {
  readonly html: string;
  readonly policy: string;
}

/**
 * Wraps the content of a hosted page in its layout, language, look and colours. The policy allows only the page's own
 * stylesheet (by its hash), its icon, and images and form submissions of this service.
 * @param tabTitle of the tab
 * @param titleMarks attributes of a title that contains words of the service
 * @param linkImage metadata about the picture in link previews
 */
export async function documentOf(
  content: PageStyle & Pick<PageContent, "title" | "intro" | "language" | "colors" | "scheme">,
  tabTitle: string,
  children: Child,
  titleMarks: PageTexts["marks"] = {},
  linkImage?: Child,
): Promise<Document> {
  const palettes = resolvePalettes(content);
  const { light, dark } = palettes;
  const { title, intro, language } = content;
  const head = (
    <>
      <meta name="theme-color" content={light.accent} />
      {light !== dark && (
        <meta name="theme-color" content={dark.accent} media="(prefers-color-scheme: dark)" />
      )}
      <link rel="icon" href={pageIcon(title, light)} />
      <meta property="og:title" content={title} />
      {intro !== null && <meta property="og:description" content={excerpt(intro)} />}
      {linkImage}
    </>
  );
  return wrap({
    language,
    title: tabTitle,
    titleMarks,
    css: hostedPageStyles(content, palettes),
    images: "'self' data:",
    head,
    children,
  });
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

/** Returns the beginning of a text, as long as link previews show, cut between words. */
const excerpt = (text: string): string => /^[\s\S]{0,160}(?!\S)/.exec(text)?.[0].trim() ?? "";

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

async function wrap({ language, title, titleMarks, css, images, head, children }: Parts): Promise<Document> {
  const rightToLeft = directionOf(language) === "rtl";
  const page = html`<!doctype html>${(
    <html lang={language} dir={rightToLeft ? "rtl" : undefined}>
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
      "cache-control": "no-store",
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
}
