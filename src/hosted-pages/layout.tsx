import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { PageContent } from "../contract/resources/pages.ts";
import { resolvePalettes } from "../domain/pages/palette.ts";
import { styleSource } from "../lib/web/style-source.ts";
import { type PageStyle, serviceStyles, hostedPageStyles } from "./styles.ts";
import { directionOf, type PageTexts } from "./texts/catalogue.ts";

/** An HTML page and its Content-Security-Policy. */
export interface Document {
  readonly html: string;
  readonly policy: string;
}

/**
 * Wraps the content of a hosted page in its layout, language, look and colours. The policy permits the page's own stylesheet
 * (by its hash), images and form submissions of this service, and nothing else.
 * @param title of the tab
 * @param titleMarks attributes of a title with words of the service
 */
export async function documentOf(
  content: PageStyle & Pick<PageContent, "language" | "colors" | "scheme">,
  title: string,
  children: Child,
  titleMarks: PageTexts["marks"] = {},
): Promise<Document> {
  const palettes = resolvePalettes(content);
  const { light, dark } = palettes;
  const themes = (
    <>
      <meta name="theme-color" content={light.background} />
      {light !== dark && (
        <meta name="theme-color" content={dark.background} media="(prefers-color-scheme: dark)" />
      )}
    </>
  );
  return wrap({
    language: content.language,
    title,
    titleMarks,
    css: hostedPageStyles(content, palettes),
    themes,
    children,
  });
}

/** A page of the service itself, which belongs to no workspace: in English, light or dark as the browser is. */
export function serviceDocument(title: string, children: Child): Promise<Document> {
  const themes = (
    <>
      <meta name="color-scheme" content="light dark" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    </>
  );
  return wrap({ language: "en", title, css: serviceStyles, themes, children });
}

interface Parts {
  readonly language: string;
  readonly title: string;
  readonly titleMarks?: PageTexts["marks"];
  readonly css: string;
  /** The colours that browsers need before they read the stylesheet, and the icon. */
  readonly themes: Child;
  readonly children: Child;
}

async function wrap({ language, title, titleMarks, css, themes, children }: Parts): Promise<Document> {
  const rightToLeft = directionOf(language) === "rtl";
  const page = html`<!doctype html>${(
    <html lang={language} dir={rightToLeft ? "rtl" : undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {themes}
        <title {...titleMarks}>{title}</title>
        <style>{raw(css)}</style>
      </head>
      {/* A page may have no language of its own set, and a text that is written from right to left. */}
      <body dir={rightToLeft ? undefined : "auto"}>
        <main>{children}</main>
      </body>
    </html>
  )}`;
  return {
    html: String(await page),
    policy:
      `default-src 'none'; style-src ${await styleSource(css)}; img-src 'self'; ` +
      "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  };
}

/** The response with a page; without a body for a HEAD request. */
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
