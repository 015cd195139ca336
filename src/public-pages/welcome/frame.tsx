import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { license, version } from "../../lib/version.ts";
import { mark } from "../../lib/web/service-style.ts";
import { styleSource } from "../../lib/web/style-source.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import type { Document } from "../../ui/visitors/document.tsx";
import { welcomeFiles } from "./files.ts";
import { welcomeStyles } from "./styles.ts";

/** The folder of the pages' files. Its first segment is reserved, so no code has its name. */
const filesFolder = "/assets";

export type Files = Awaited<ReturnType<typeof welcomeFiles.paths>>;

interface Frame {
  /** The service's name. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The origin of the dashboard and the API. */
  readonly appOrigin: string;
  /** The file of the page's own script; null for none. */
  readonly script: "draw.js" | "copy.js" | null;
  /** The permissions of the page's policy beyond its own files, as directives. */
  readonly allows: { readonly image?: string; readonly connect?: string; readonly form: string };
  /** The content of `main`. */
  readonly content: (files: Files) => Child;
}

/** Returns a page that shows strangers what the service is. */
export async function welcomeFrame({
  name,
  title,
  description,
  appOrigin,
  script,
  allows: { image, connect, form },
  content,
}: Frame): Promise<Document> {
  const files = await welcomeFiles.paths(filesFolder);
  const css = welcomeStyles(files);
  const page = html`<!doctype html>${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta name="description" content={description} />
        <title>{title}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="preload" href={files["inter.woff2"]} as="font" type="font/woff2" crossorigin="" />
        <style>{raw(css)}</style>
        {script !== null && <script src={files[script]} type="module" />}
      </head>
      <body>
        <header>
          <span class="brand">
            {raw(mark)}
            {name}
          </span>
          <nav aria-label="Service">
            <a href={`${appOrigin}/api/v1/docs`}>API</a>
            <a class="button" href={`${appOrigin}/dashboard`}>
              Sign in
            </a>
          </nav>
        </header>
        <main>{content(files)}</main>
        <footer class="foot">
          <p>
            Scanned a code and landed here? Its owner decides where it leads.{" "}
            <a href="/report">Report a code</a>
          </p>
          <p>
            Version {version} · {license}
          </p>
        </footer>
      </body>
    </html>
  )}`;
  return {
    html: String(await page),
    policy:
      `default-src 'none'; style-src ${await styleSource(css)}; script-src 'self'; ` +
      `img-src 'self'${image === undefined ? "" : ` ${image}`}; font-src 'self'; ` +
      `${connect === undefined ? "" : `connect-src ${connect}; `}form-action ${form}; base-uri 'none'; ` +
      "frame-ancestors 'none'",
  };
}

interface PointProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children: Child;
}

/** One of the three things that the band below says. */
export const Point = ({ icon, title, children }: PointProps) => (
  <li>
    <Icon name={icon} size={20} />
    <h2>{title}</h2>
    <p>{children}</p>
  </li>
);
