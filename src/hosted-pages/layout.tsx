import type { Child } from "hono/jsx";
import type { PageContent } from "../contract/resources/pages.ts";
import { type Palette, resolvePalettes } from "../domain/pages/palette.ts";
import { escapeHtml } from "../lib/text/html.ts";
import { type Document, wrap } from "../ui/visitors/document.tsx";
import type { PageTexts } from "../ui/visitors/texts/catalogue.ts";
import { hostedPageStyles, type PageStyle } from "./styles.ts";

/**
 * Wraps the content of a hosted page in its layout, language, look and colours. The policy allows only the page's own
 * stylesheet (by its hash), its icon, and images and form submissions of this service.
 * @param tabTitle of the tab
 * @param titleMarks attributes of a title that contains words of the service
 * @param linkImage metadata about the picture in link previews
 * @param furtherStyles rules besides those of its look
 */
export async function documentOf(
  content: PageStyle & Pick<PageContent, "title" | "intro" | "language" | "colors" | "scheme">,
  tabTitle: string,
  children: Child,
  titleMarks: PageTexts["marks"] = {},
  linkImage?: Child,
  furtherStyles = "",
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
    css: `${hostedPageStyles(content, palettes)}${furtherStyles}`,
    images: "'self' data:",
    head,
    children,
  });
}

/** Returns the beginning of a text, as long as link previews show, cut between words. */
const excerpt = (text: string): string => /^[\s\S]{0,160}(?!\S)/.exec(text)?.[0].trim() ?? "";

const characters = new Intl.Segmenter();

/** Returns the first letter, digit or emoji of a title, or whatever else it begins with. */
function initialOf(title: string): string {
  const [first = "", ...others] = Array.from(
    characters.segment(title.slice(0, 40)),
    ({ segment }) => segment,
  );
  return [first, ...others].find((each) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(each)) ?? first;
}

/**
 * Returns the icon of a page's tab: its title's initial on its accent colour, as a data URL, so that no request is
 * made.
 */
function pageIcon(title: string, { accent, onAccent }: Palette): string {
  const svg =
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='6' fill='${accent}'/>` +
    `<text x='16' y='23' style='font:700 20px sans-serif' text-anchor='middle' fill='${onAccent}'>` +
    `${escapeHtml(initialOf(title))}</text></svg>`;
  return `data:image/svg+xml,${svg.replace(/[#%&<>]|[^\x20-\x7e]+/g, encodeURIComponent)}`;
}
