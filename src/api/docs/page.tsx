import { html, raw } from "hono/html";
import { styleSource } from "../../lib/web/style-source.ts";
import { type Document, operationsOf } from "./document.ts";
import { guide } from "./guide.tsx";
import { OperationArticle, titleOf } from "./operation.tsx";
import { Prose } from "./prose.tsx";
import { SchemasSection, schemaAnchor } from "./schema.tsx";
import { referenceStyles } from "./styles.ts";

/** Allows the page's own stylesheet, by hash, and this service's scripts and fonts. */
export async function docsPolicy(): Promise<string> {
  const source = await styleSource(referenceStyles);
  return (
    `default-src 'none'; style-src ${source}; script-src 'self'; font-src 'self'; img-src 'self'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  );
}

/** The API reference as one page, which is complete without its script. */
export function DocsPage({ document }: { document: Document }) {
  return html`<!doctype html>${<Html document={document} />}`;
}

function Html({ document }: { document: Document }) {
  const { title, description } = document.info;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content={description} />
        <title>{title}: API reference</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <style>{raw(referenceStyles)}</style>
        <script src="/api/v1/docs/reference.js" defer />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the reference
        </a>
        <Header document={document} />
        <Contents document={document} />
        <main id="main">
          <Guide document={document} />
          {(document.tags ?? []).map((tag) => (
            <TagSection document={document} name={tag.name} description={tag.description} />
          ))}
          <SchemasSection document={document} />
          <a class="to-contents" href="#contents">
            Contents
          </a>
        </main>
        <p id="status" class="hidden" role="status" />
      </body>
    </html>
  );
}

function Header({ document }: { document: Document }) {
  const { title, version, description } = document.info;
  return (
    <header>
      <p class="back">
        <a href="/dashboard">Dashboard</a>
      </p>
      <h1>
        {title} <small>API {version}</small>
      </h1>
      {description !== undefined && (
        <p>
          <Prose text={description} />
        </p>
      )}
      <p>
        For programs: <a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI {document.openapi}), and the
        guides as Markdown in <a href="/llms.txt">llms.txt</a>
      </p>
    </header>
  );
}

function Contents({ document }: { document: Document }) {
  return (
    <nav id="contents" aria-label="Contents">
      <p class="filter" hidden>
        <label class="hidden" for="filter">
          Filter the contents
        </label>
        <input id="filter" type="search" placeholder="Filter" autocomplete="off" spellcheck={false} />
      </p>
      <p id="nothing" hidden>
        No results
      </p>
      <div class="group">
        <h2>Guide</h2>
        <ul class="names">
          {guide.map(({ id, title }) => (
            <li>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </div>
      {(document.tags ?? []).map(({ name }) => (
        <div class="group">
          <h2>
            <a href={`#${tagAnchor(name)}`}>{name}</a>
          </h2>
          <ul>
            {operationsOf(document, name).map((operation) => (
              <li>
                <a href={`#${operation.id}`}>
                  <Prose text={titleOf(operation).title} />{" "}
                  <code class={`method ${operation.method.toLowerCase()}`}>{operation.method}</code>
                  <code class="hidden"> {operation.path}</code>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div class="group">
        <h2>
          <a href="#schemas">Schemas</a>
        </h2>
        <ul class="names">
          {Object.keys(document.components?.schemas ?? {}).map((name) => (
            <li>
              <a href={`#${schemaAnchor(name)}`}>{name}</a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}

function Guide({ document }: { document: Document }) {
  return (
    <>
      {guide.map(({ id, title, Body }) => (
        <section id={id} class="guide" aria-labelledby={`${id}-title`}>
          <h2 id={`${id}-title`}>{title}</h2>
          <Body server={document.servers?.[0]?.url ?? ""} />
        </section>
      ))}
    </>
  );
}

const tagAnchor = (tag: string): string => `tag-${tag.toLowerCase().replaceAll(" ", "-")}`;

function TagSection(props: { document: Document; name: string; description?: string | undefined }) {
  const { document, name, description } = props;
  const anchor = tagAnchor(name);
  return (
    <section id={anchor} aria-labelledby={`${anchor}-title`}>
      <h2 id={`${anchor}-title`}>{name}</h2>
      {description !== undefined && (
        <p>
          <Prose text={description} />
        </p>
      )}
      {operationsOf(document, name).map((operation) => (
        <OperationArticle document={document} operation={operation} />
      ))}
    </section>
  );
}
