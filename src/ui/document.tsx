import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { mark } from "../lib/web/service-style.ts";
import { type IconName, Sprite, WithSprite } from "./icon.tsx";

/**
 * Returns the Content-Security-Policy of all pages.
 * @param scanOrigin the origin of the codes' images
 * @param options whether the page contains frames of this origin; whether it is in one
 */
export const contentSecurityPolicy = (
  scanOrigin: string,
  { frames = false, framed = false }: { frames?: boolean; framed?: boolean } = {},
): string =>
  `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data: ${scanOrigin}; font-src 'self'; ` +
  `connect-src 'self'; ${frames ? "frame-src 'self'; " : ""}base-uri 'none'; form-action 'self'; ` +
  `frame-ancestors '${framed ? "self" : "none"}'`;

/**
 * Prevents htmx from evaluating code and inserting styles, makes it show error pages, and disables its page history.
 */
const htmxConfig = JSON.stringify({
  allowEval: false,
  includeIndicatorStyles: false,
  // By default, htmx copies the style of an old element to the new one with its id, which the policy forbids.
  attributesToSettle: ["class", "width", "height"],
  historyCacheSize: 0,
  // With the default, the controls of a new page would not react for a moment.
  defaultSettleDelay: 0,
  refreshOnHistoryMiss: true,
  scrollBehavior: "instant",
  responseHandling: [
    { code: "204", swap: false },
    // A toast reports the error, and the page keeps its entries.
    { code: "5..", swap: false, error: true },
    { code: "[234]..", swap: true },
  ],
});

/** The files that every document refers to. */
export type DocumentFile = "inter.woff2" | "styles.css" | "htmx.js" | "script.js";

/** The parts that all documents of an installation share. */
export interface DocumentBase {
  /** Returns the addresses of the files. */
  readonly files: () => Promise<Readonly<Record<DocumentFile, string>>>;
  /** The service's name, which ends every title. */
  readonly serviceName: string;
}

interface DocumentOptions {
  /** Whether to include the scripts. In a frame that can't run them, browsers would log errors. */
  readonly scripts?: boolean;
  /** Metadata for link previews. */
  readonly head?: Child;
  /** The icons of parts of the body that are already drawn; null if only a part of the page is used. */
  readonly icons?: Set<IconName> | null;
  /** The colours; as the device is set if omitted. */
  readonly scheme?: "light" | "dark" | undefined;
  /** The attributes of the body. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Builds an HTML document. @param content of its body */
export async function htmlDocument(
  { files, serviceName }: DocumentBase,
  title: string,
  content: Child,
  { scripts = true, head, icons = new Set(), scheme, attributes }: DocumentOptions = {},
) {
  const paths = await files();
  const body = await html`${<WithSprite icons={icons}>{content}</WithSprite>}`;
  return html`<!doctype html>${(
    <html lang="en" data-scheme={scheme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={scheme ?? "light dark"} />
        <meta name="robots" content="noindex" />
        <meta name="htmx-config" content={htmxConfig} />
        {head}
        <title>{`${title} – ${serviceName}`}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="preload" href={paths["inter.woff2"]} as="font" type="font/woff2" crossorigin="" />
        <link rel="stylesheet" href={paths["styles.css"]} />
        {scripts && <script src={paths["htmx.js"]} defer />}
        {scripts && <script src={paths["script.js"]} type="module" />}
      </head>
      <body {...attributes}>
        {body}
        {icons !== null && <Sprite icons={icons} />}
      </body>
    </html>
  )}`;
}

/** Builds a page without navigation, for people who are not signed in. */
export const plainDocument = (base: DocumentBase, title: string, content: Child, options?: DocumentOptions) =>
  htmlDocument(
    base,
    title,
    <main class="alone" id="main" tabindex={-1}>
      {raw(mark)}
      {content}
    </main>,
    options,
  );
