import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { styleSource } from "../lib/web/style-source.ts";
import { styles } from "./styles.ts";

/** The Content-Security-Policy of all pages: their stylesheet (by its hash) and forms to this service, nothing else. */
export async function contentSecurityPolicy(): Promise<string> {
  const source = await styleSource(styles);
  return `default-src 'none'; style-src ${source}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
}

/** The layout of every page. */
export function Page({ title, children }: { title: string; children?: Child }) {
  return html`<!doctype html>${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{title}: QR codes</title>
        <style>{raw(styles)}</style>
      </head>
      <body>
        <main>{children}</main>
      </body>
    </html>
  )}`;
}
