import type { Block } from "../contract/resources/pages.ts";
import type { PageRoute } from "../protocol/routes.ts";
import { imageKey } from "../domain/pages/images.ts";
import { newId } from "../lib/text/ids.ts";
import { type Entered, PageForm } from "./form.tsx";
import { answerWith, type Document, documentOf } from "./layout.tsx";

/** Stands for the token of a form that is yet to be shown. */
const slot = "token-of-this-form";

/**
 * Pages as they are before anybody entered anything. They go when the isolate forgets the page. No promises: one
 * belongs to the request that made it.
 */
const rendered = new WeakMap<PageRoute, Document>();

/** A page as a scan gets it; its form has a token of its own each time. @param now epoch milliseconds */
export async function showPage(request: Request, page: PageRoute, now: number): Promise<Response> {
  const blank: Entered = { token: slot, values: new URLSearchParams(), problems: {} };
  const document = rendered.get(page) ?? (await render(page, blank));
  rendered.set(page, document);
  const { html, policy } = document;
  // The first is the form's: in what people wrote, quotes are escaped.
  return answerWith(request, { html: html.replace(`value="${slot}"`, `value="${newId(now)}"`), policy });
}

/** A page whose form was sent and not accepted, with what was entered. */
export async function showEntered(
  request: Request,
  page: PageRoute,
  entered: Entered,
  status: number,
  headers?: Record<string, string>,
): Promise<Response> {
  return answerWith(request, await render(page, entered), status, headers);
}

/** What is shown once a form is sent. */
export async function showThanks(request: Request, { pageId, content }: PageRoute): Promise<Response> {
  const { title, form } = content;
  const main = (
    <>
      <h1>{title}</h1>
      <p role="status">{form?.thanks}</p>
      <a class="button" href={`/pages/${pageId}`}>
        {title}
      </a>
    </>
  );
  return answerWith(request, await documentOf(content, title, main));
}

/** Where there is no page, or none any more. */
export async function showMissing(request: Request): Promise<Response> {
  const main = (
    <>
      <h1>There is no page here</h1>
      <p>It may have been removed by its owner.</p>
    </>
  );
  return answerWith(request, await documentOf({ language: "en", colors: null }, "No page", main), 404);
}

async function render({ pageId, content }: PageRoute, entered: Entered): Promise<Document> {
  const { title, intro, form, blocks } = content;
  const refused = Object.keys(entered.problems).length > 0;
  const shown = await Promise.all(blocks.map((block) => showBlock(pageId, block)));
  const main = (
    <>
      <h1>{title}</h1>
      {intro !== null && <Text text={intro} />}
      {shown}
      {form !== null && <PageForm pageId={pageId} form={form} entered={entered} />}
    </>
  );
  return documentOf(content, refused ? `Not sent: ${title}` : title, main);
}

async function showBlock(pageId: string, block: Block) {
  switch (block.type) {
    case "text":
      return <Text text={block.text} />;
    case "link":
      return (
        <a class="button" href={block.url}>
          {block.label}
        </a>
      );
    case "image":
      return <img src={`/pages/${pageId}/images/${await imageKey(block.url)}`} alt={block.alt} />;
  }
}

/** An empty line parts paragraphs; within one, lines end as they were written. */
function Text({ text }: { text: string }) {
  return (
    <>
      {text.split(/\n\s*\n/).map((paragraph) => (
        <p>{paragraph.trim()}</p>
      ))}
    </>
  );
}
