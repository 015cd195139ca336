import type { Child } from "hono/jsx";
import type { Block, PageContent } from "../contract/resources/pages.ts";
import type { Deps } from "../domain/deps.ts";
import { newFormToken } from "../domain/pages/form-guard.ts";
import { imageKey } from "../domain/pages/images.ts";
import { LinkImage } from "../lib/web/link-image.tsx";
import type { PageRoute, RouteSuspension } from "../protocol/routes.ts";
import { answerWith, type Document, showNotice } from "../ui/visitors/document.tsx";
import { textsFor } from "../ui/visitors/texts/catalogue.ts";
import { ClosedForm, type FormState, PageForm } from "./form.tsx";
import { documentOf } from "./layout.tsx";
import { Words } from "./words.tsx";

/** A placeholder for the form's token in a rendered page. */
const tokenPlaceholder = "token-of-this-form";

/**
 * Pages rendered with an empty form, for as long as the isolate caches the page. Contains no promises, because Workers
 * bind a promise to the request that created it.
 */
const rendered = new WeakMap<PageRoute, Document>();

/** Returns where to report a hosted page. */
const reportPath = (pageId: string): string => `/report?page=${pageId}`;

/**
 * Shows a page, with a new token for its form each time.
 * @param now epoch milliseconds
 * @param hash of the code whose scan shows the page, if any; the link to report then names that code
 */
export async function showPage(
  deps: Deps,
  request: Request,
  page: PageRoute,
  now: number,
  hash?: string,
): Promise<Response> {
  const emptyForm: FormState = { token: tokenPlaceholder, values: new URLSearchParams(), problems: {} };
  const document =
    rendered.get(page) ?? (await renderPage(page, emptyForm, undefined, await linkImage(deps, page)));
  rendered.set(page, document);
  const { html, policy } = document;
  const token = page.content.form === null ? "" : await newFormToken(deps, page.pageId, now);
  // These match nothing else, because quotes in the page's own text are escaped.
  const withToken = html.replace(`value="${tokenPlaceholder}"`, `value="${token}"`);
  const path = reportPath(page.pageId);
  const shown =
    hash === undefined ? withToken : withToken.replace(`href="${path}"`, `href="/report?hash=${hash}"`);
  return answerWith(request, { html: shown, policy });
}

/** The editor's names for the parts of an unsaved page, which its elements carry as `data-part`. */
export interface PreviewParts {
  /** All blocks, in their order; null for one that isn't finished. */
  readonly blocks: readonly { readonly part: string; readonly block: Block | null; readonly name: string }[];
  /** The fields of the content's form. */
  readonly fields: readonly string[];
}

/** Marks the parts of a preview, and shows unfinished ones dashed. */
const previewStyles = `
.unfinished { padding: 1rem; border: 1px dashed; border-radius: .5rem; text-align: center }
[data-hovered] { outline: 2px dashed var(--ink); outline-offset: 3px }
[data-chosen] { outline: 3px solid var(--ink); outline-offset: 3px; box-shadow: 0 0 0 3px var(--paper) }
:root:is([data-chosen], [data-hovered]) { outline-offset: -3px; box-shadow: none }`;

/**
 * Returns an unsaved page as a document for a frame in the dashboard. Its links and form do nothing.
 * @param imageAddress where its images are served
 */
export async function previewPage(
  content: PageContent,
  imageAddress: (url: string) => string,
  parts: PreviewParts,
): Promise<Document> {
  const page = { pageId: "preview", content, formClosed: false };
  const state: FormState = { token: "", values: new URLSearchParams(), problems: {} };
  const { html, policy } = await renderPage(page, state, imageAddress, undefined, parts);
  return {
    // A link to a new tab does nothing, because the frame may not open popups.
    html: html.replace("<head>", '<head><base target="_blank">'),
    policy: policy.replace(
      /form-action.*/,
      "form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-same-origin",
    ),
  };
}

/** Shows a page again after its form was rejected, with the submitted values and their problems. */
export async function showRejectedForm(
  request: Request,
  page: PageRoute,
  state: FormState,
  status: number,
  headers?: Record<string, string>,
): Promise<Response> {
  return answerWith(request, await renderPage(page, state), status, headers);
}

/** Shows the confirmation after a form was submitted. */
export async function showThanks(request: Request, { pageId, content }: PageRoute): Promise<Response> {
  const { title, form, language } = content;
  const { texts, marks } = textsFor(language);
  const own = form?.thanks ?? null;
  const main = (
    <>
      <header>
        <h1>
          <Words text={title} language={language} />
        </h1>
      </header>
      <p role="status" {...(own === null ? marks : {})}>
        {own ?? texts.thanks}
      </p>
      <a class="button" href={`/pages/${pageId}`}>
        {title}
      </a>
    </>
  );
  return answerWith(request, await documentOf(content, title, main));
}

/** Shows that the operator has suspended a page: 403, or 451 on a legal order. Says neither why nor what was there. */
export const showSuspended = (request: Request, { legalOrder }: RouteSuspension): Promise<Response> =>
  showNotice(request, "suspended", legalOrder ? 451 : 403);

/** Shows that a page can't be looked up right now. */
export const showUnavailable = (request: Request): Promise<Response> =>
  showNotice(request, "unavailable", 503, { "retry-after": "10" });

/** Returns the address of an image on a page. */
type ImageAddress = (url: string) => string | Promise<string>;

/** @param imageAddress for an unsaved page */
async function renderPage(
  { pageId, content, formClosed }: Pick<PageRoute, "pageId" | "content" | "formClosed">,
  state: FormState,
  imageAddress: ImageAddress = (url) => imagePath(pageId, url),
  linkImage?: Child,
  parts?: PreviewParts,
): Promise<Document> {
  const { title, intro, form, header, blocks, language } = content;
  const pageTexts = textsFor(language);
  const { texts, marks } = pageTexts;
  const shown =
    parts === undefined
      ? await Promise.all(blocks.map((block) => showBlock(block, imageAddress)))
      : await Promise.all(parts.blocks.map((each) => showPart(each, imageAddress)));
  const markOf = (part: string) => (parts === undefined ? undefined : part);
  const main = (
    <>
      <header>
        {header !== null && (
          <img
            class="header"
            src={await imageAddress(header.url)}
            alt={header.alt}
            data-part={markOf("header")}
          />
        )}
        <h1 data-part={markOf("texts")}>
          <Words text={title} language={language} />
        </h1>
        {intro !== null && <Text text={intro} part={markOf("texts")} />}
      </header>
      {shown}
      {form !== null &&
        (formClosed ? (
          <ClosedForm {...pageTexts} />
        ) : (
          <PageForm pageId={pageId} form={form} state={state} pageTexts={pageTexts} parts={parts?.fields} />
        ))}
      <footer>
        <a href={reportPath(pageId)} {...marks}>
          {texts.reportPage}
        </a>
      </footer>
    </>
  );
  return state.notice === undefined
    ? documentOf(content, title, main, {}, linkImage, parts && previewStyles)
    : documentOf(content, texts.notSent(title), main, marks);
}

/** @param part the editor's name of the block, in a preview */
async function showBlock(block: Block, imageAddress: ImageAddress, part?: string) {
  switch (block.type) {
    case "text":
      return <Text text={block.text} part={part} />;
    case "link":
      return (
        <a class="button" href={block.url} data-part={part}>
          {block.label}
        </a>
      );
    case "image":
      return <img src={await imageAddress(block.url)} alt={block.alt} data-part={part} />;
  }
}

const showPart = ({ part, block, name }: PreviewParts["blocks"][number], imageAddress: ImageAddress) =>
  block === null ? (
    <p class="unfinished" data-part={part}>
      {name}
    </p>
  ) : (
    showBlock(block, imageAddress, part)
  );

/** Returns where visitors load a page's image. @param url of the image at its own host */
const imagePath = async (pageId: string, url: string): Promise<string> =>
  `/pages/${pageId}/images/${await imageKey(url)}`;

/**
 * Returns the metadata about a page's picture in link previews: its header image, else a drawing of its title. Readers
 * of link previews show no SVG.
 */
async function linkImage({ images, settings }: Deps, { pageId, content }: PageRoute): Promise<Child> {
  const { header, title } = content;
  if (header !== null && !/\.svg$/i.test(new URL(header.url).pathname)) {
    const url = `${settings.scanOrigin}${await imagePath(pageId, header.url)}`;
    return <LinkImage url={url} alt={header.alt} drawn={false} />;
  }
  if (images === undefined) return null;
  return <LinkImage url={`${settings.scanOrigin}/pages/${pageId}/og.png`} alt={title} drawn />;
}

/** Paragraphs are separated by an empty line; the stylesheet keeps single line breaks. */
function Text({ text, part }: { text: string; part?: string | undefined }) {
  return (
    <>
      {text.split(/\n\s*\n/).map((paragraph) => (
        <p data-part={part}>{paragraph.trim()}</p>
      ))}
    </>
  );
}
