import { html, raw } from "hono/html";
import { styleSource } from "../../lib/web/style-source.ts";
import { type Document, operationsOf } from "./document.ts";
import { guide } from "./guide.tsx";
import { OperationArticle, titleOf } from "./operation.tsx";
import { groupPath, referencePath, schemaAnchor, schemasPath } from "./places.ts";
import { Prose } from "./prose.tsx";
import { SchemasSection } from "./schema.tsx";
import { referenceStyles } from "./styles.ts";

/** Allows the page's own stylesheet, by hash, and this service's scripts and fonts. */
export async function docsPolicy(): Promise<string> {
  const source = await styleSource(referenceStyles);
  return (
    `default-src 'none'; style-src ${source}; script-src 'self'; font-src 'self'; img-src 'self'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  );
}

/** A page of the reference: the name of a group of endpoints, `schemas`, or null for the first page. */
type Part = string | null;

/** Returns the part of the reference at a path; undefined if there is none. */
export function partAt(document: Document, path: string): Part | undefined {
  if (path === referencePath) return null;
  if (path === schemasPath) return "schemas";
  return document.tags?.find(({ name }) => groupPath(name) === path)?.name;
}

interface Props {
  readonly document: Document;
  readonly part: Part;
}

/** A page of the API reference, which is complete without its script. All pages have the contents of the whole. */
export function DocsPage(props: Props) {
  return html`<!doctype html>${<Html {...props} />}`;
}

function Html({ document, part }: Props) {
  const { title, description } = document.info;
  const tag = document.tags?.find(({ name }) => name === part);
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content={description} />
        <title>
          {part === null ? "" : `${tag?.name ?? "Schemas"} – `}
          {title}: API reference
        </title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <style>{raw(referenceStyles)}</style>
        <script src="/api/v1/docs/reference.js" defer />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the reference
        </a>
        <Header document={document} part={part} />
        <Contents document={document} part={part} />
        <main id="main">
          {part === null && <Guide document={document} />}
          {tag !== undefined && <TagSection document={document} {...tag} />}
          {part === "schemas" && <SchemasSection document={document} />}
          <a class="to-contents" href="#contents">
            Contents
          </a>
        </main>
        <p id="status" class="hidden" role="status" />
      </body>
    </html>
  );
}

function Header({ document, part }: Props) {
  const { title, version, description } = document.info;
  return (
    <header>
      <p class="back">
        {part === null ? <a href="/dashboard">Dashboard</a> : <a href={referencePath}>API reference</a>}
      </p>
      <h1>
        {title} <small>API {version}</small>
      </h1>
      {part === null && (
        <>
          {description !== undefined && (
            <p>
              <Prose text={description} />
            </p>
          )}
          <p>
            For programs: <a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI {document.openapi}), and
            the guides as Markdown in <a href="/llms.txt">llms.txt</a>
          </p>
        </>
      )}
    </header>
  );
}

/**
 * Links to everything. On the first page they have the anchors that are on other pages, since all was on one page once:
 * the script follows the link at an anchor.
 */
function Contents({ document, part }: Props) {
  const anchor = (id: string) => (part === null ? id : undefined);
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
              <a href={`${referencePath}#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </div>
      {(document.tags ?? []).map(({ name }) => (
        <div class="group">
          <h2 id={anchor(tagAnchor(name))}>
            <a href={groupPath(name)} aria-current={name === part ? "page" : undefined}>
              {name}
            </a>
          </h2>
          <ul>
            {operationsOf(document, name).map((operation) => (
              <li id={anchor(operation.id)}>
                <a href={`${groupPath(name)}#${operation.id}`}>
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
        <h2 id={anchor("schemas")}>
          <a href={schemasPath} aria-current={part === "schemas" ? "page" : undefined}>
            Schemas
          </a>
        </h2>
        <ul class="names">
          {Object.keys(document.components?.schemas ?? {}).map((name) => (
            <li id={anchor(schemaAnchor(name))}>
              <a href={`${schemasPath}#${schemaAnchor(name)}`}>{name}</a>
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
