import { raw } from "hono/html";
import type { PageLook, PageScheme } from "../../contract/resources/enums.ts";
import type { PageDraftContent } from "../../domain/pages/drafts.ts";
import { type Palette, type Palettes, resolvePalettes } from "../../domain/pages/palette.ts";
import { escapeHtml } from "../../lib/text/html.ts";

/** Small drawings of pages, with their look, their colours and their own words where these are large enough. */

type Drawn = Pick<PageDraftContent, "title" | "intro" | "header" | "blocks" | "form" | "look">;

/** Units of the drawing: about half a pixel of a phone's screen. */
const size = { width: 180, height: 320 };

/** Draws a page as it begins on a phone. @param height units that are shown */
function draw(page: Drawn, palette: Palette, height: number): string {
  const { background, text, accent } = palette;
  const isCard = page.look === "card";
  const isBold = page.look === "bold";
  const head = new Column(isCard ? 22 : 14, isBold ? palette.onAccent : text, palette);
  head.down(isCard ? 12 : 0);
  if (page.header !== null) head.picture(isCard ? 8 : isBold ? 0 : 14);
  head.down(page.header === null && isBold ? 24 : 16);
  head.words(page.title.trim() || "Untitled page", isBold ? 20 : 17);
  head.lines(page.intro ?? "");
  if (isBold) head.down(6);
  const body = new Column(isCard ? 22 : 14, text, palette, head.y + (isBold ? 14 : 4));
  for (const block of page.blocks) {
    if (body.y > height) break;
    if (block.type === "text") body.lines(textOf(block.text));
    else if (block.type === "link") body.button(textOf(block.label));
    else body.picture(body.x);
  }
  if (page.form !== null) {
    for (const _ of page.form.fields.slice(0, 6)) body.field();
    body.button(page.form.button ?? "");
  }
  const ground =
    rect(0, 0, size.width, size.height, isCard ? accent : background) +
    (isCard ? rect(8, 10, size.width - 16, size.height, background, 10) : "") +
    (isBold ? rect(0, 0, size.width, head.y + 4, accent) : "");
  return ground + head.svg + body.svg;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const rect = (x: number, y: number, width: number, height: number, fill: string, radius = 0): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"${radius === 0 ? "" : ` rx="${radius}"`}/>`;

/** Draws one thing below another. */
class Column {
  svg = "";
  readonly x: number;
  readonly ink: string;
  readonly palette: Palette;
  y: number;

  constructor(x: number, ink: string, palette: Palette, y = 0) {
    this.x = x;
    this.ink = ink;
    this.palette = palette;
    this.y = y;
  }

  get width(): number {
    return size.width - 2 * this.x;
  }

  down(by: number): void {
    this.y += by;
  }

  /** A heading of at most three lines. */
  words(text: string, fontSize: number): void {
    for (const line of wrapped(text, this.width / (fontSize * 0.56), 3)) {
      this.y += fontSize * 1.2;
      this.svg += `<text x="${this.x}" y="${Math.round(this.y)}" font-size="${fontSize}" font-weight="700" fill="${this.ink}">${escapeHtml(line)}</text>`;
    }
    this.y += 12;
  }

  /** A bar for each line of a text, at most four. */
  lines(text: string): void {
    if (text.trim() === "") return;
    const count = Math.min(4, Math.ceil(text.length / 28));
    for (let i = 0; i < count; i += 1) {
      const share = i < count - 1 || count === 1 ? 1 - ((i * 7) % 12) / 100 : 0.6;
      this.svg += `<rect x="${this.x}" y="${this.y}" width="${Math.round(this.width * share)}" height="5" rx="2.5" fill="${this.ink}" opacity=".55"/>`;
      this.y += 11;
    }
    this.y += 8;
  }

  button(label: string): void {
    const { accent, onAccent } = this.palette;
    this.svg += rect(this.x, this.y, this.width, 28, accent, 7);
    const [line = ""] = wrapped(label, this.width / 7.4, 1);
    this.svg += `<text x="${size.width / 2}" y="${this.y + 18}" font-size="12" font-weight="600" text-anchor="middle" fill="${onAccent}">${escapeHtml(line)}</text>`;
    this.y += 38;
  }

  field(): void {
    this.svg += `<rect x="${this.x}" y="${this.y}" width="60" height="5" rx="2.5" fill="${this.ink}" opacity=".8"/>`;
    this.svg += `<rect x="${this.x}.5" y="${this.y + 9.5}" width="${this.width - 1}" height="23" rx="4" fill="none" stroke="${this.ink}" opacity=".6"/>`;
    this.y += 44;
  }

  /** An image, which is not loaded here. @param x its left edge */
  picture(x: number): void {
    const width = size.width - 2 * x;
    const y = this.y;
    this.svg += `<g fill="${this.ink}"><rect x="${x}" y="${y}" width="${width}" height="62" rx="${x === 0 ? 0 : 5}" opacity=".16"/>`;
    this.svg += `<path opacity=".3" d="M${x + 12} ${y + 52}l26-30 18 20 12-12 22 22z"/><circle opacity=".3" cx="${x + width - 26}" cy="${y + 20}" r="7"/></g>`;
    this.y += 72;
  }
}

/** Breaks a text into lines of about so many characters. The last one ends with an ellipsis if there is more. */
function wrapped(text: string, characters: number, maxLines: number): string[] {
  const most = Math.max(4, Math.floor(characters));
  const lines = [""];
  for (const word of text.slice(0, 200).trim().split(/\s+/)) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length > most) lines.push("");
    let rest = lines.at(-1) === "" ? word : `${lines.at(-1)} ${word}`;
    for (; rest.length > most; rest = rest.slice(most)) {
      lines[lines.length - 1] = rest.slice(0, most);
      lines.push("");
    }
    lines[lines.length - 1] = rest;
  }
  if (lines.length <= maxLines) return lines;
  const last = lines[maxLines - 1] ?? "";
  return [...lines.slice(0, maxLines - 1), `${last.slice(0, most - 1).trimEnd()}…`];
}

const svgOf = (inside: string, height: number, attributes = ""): string =>
  `<svg class="page-picture" viewBox="0 0 ${size.width} ${height}" aria-hidden="true" hx-disable${attributes}>${inside}</svg>`;

/** A page as it begins on a phone with a light device. */
export const PagePicture = ({
  page,
}: {
  readonly page: Drawn & Pick<PageDraftContent, "colors" | "scheme">;
}) => raw(svgOf(draw(page, resolvePalettes(page).light, size.height), size.height));

/** The colours of a page, and its title. */
type SampleOf = Pick<PageDraftContent, "title" | "colors">;

interface SampleProps {
  readonly of: SampleOf;
  /** Whether it replaces the one on the page. */
  readonly replaces?: boolean;
}

/** Units of a sample that are shown. */
const sampleHeight = 190;

const sampleOf = (title: string, look: PageLook): Drawn => ({
  title,
  intro: "A few words, as an introduction to the page.",
  header: null,
  blocks: [
    { type: "text", text: "A paragraph that is long enough for two lines." },
    { type: "link", label: "" },
  ],
  form: null,
  look,
});

const replacing = (id: string, replaces = false): string =>
  ` id="${id}"${replaces ? ' hx-swap-oob="true"' : ""}`;

/** A look, in the colours of a page. */
export const LookPicture = ({ look, of: { title, colors }, replaces }: SampleProps & { look: PageLook }) =>
  raw(
    svgOf(
      draw(sampleOf(title, look), resolvePalettes({ colors, scheme: "light" }).light, sampleHeight),
      sampleHeight,
      replacing(`look-${look}`, replaces),
    ),
  );

/** A colour scheme: the page on a light device, beside the page on a dark one where they differ. */
export function SchemePicture({
  scheme,
  of: { title, colors },
  replaces,
}: SampleProps & { scheme: PageScheme }) {
  const palettes: Palettes = resolvePalettes({ colors, scheme });
  const [light, dark] = [palettes.light, palettes.dark].map((palette) =>
    draw(sampleOf(title, "plain"), palette, sampleHeight),
  );
  const half = size.width / 2;
  const inside =
    scheme === "auto"
      ? `${light}<svg x="${half}" width="${half}" height="${sampleHeight}" viewBox="${half} 0 ${half} ${sampleHeight}">${dark}</svg>`
      : `${light}`;
  return raw(svgOf(inside, sampleHeight, replacing(`scheme-${scheme}`, replaces)));
}
