import { html } from "hono/html";
import { type Child, createContext, type PropsWithChildren, useContext } from "hono/jsx";
import { Icon } from "./icon.tsx";

/** The words of a page's heading. */
export interface HeadingWords {
  title?: string;
  /** The parent page. */
  back?: { readonly path: string; readonly name: string } | undefined;
}

const Words = createContext<HeadingWords | null>(null);

/** Notes the words of a page's first heading for the row at the top of phones. */
export function noteHeading(heading: HeadingWords): void {
  const words = useContext(Words);
  if (words !== null && words.title === undefined) Object.assign(words, heading);
}

/** Draws the content of a page, and returns it with what its heading says. */
export async function withHeading(content: Child) {
  const words: HeadingWords = {};
  const main = await html`${<Words.Provider value={words}>{content}</Words.Provider>}`;
  return { words, main };
}

interface Props {
  readonly words: HeadingWords;
  /** The mark of the workspace, which the link to the parent page replaces. */
  readonly mark: Child;
}

/** The row at the top of phones: a link back or the mark, the title of the page, and the search. */
export const TopRow = ({ words: { title, back }, mark, children }: PropsWithChildren<Props>) => (
  <header class="top">
    {back === undefined ? (
      mark
    ) : (
      <a class="back" href={back.path} aria-label={back.name}>
        <Icon name="chevron-left" size={20} />
      </a>
    )}
    {/* The heading of the page says the same. */}
    {title !== undefined && (
      <p class="top-title" dir="auto" aria-hidden="true">
        {title}
      </p>
    )}
    {children}
  </header>
);
