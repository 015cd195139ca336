import { escapeHtml } from "../../lib/text/html.ts";
import { type ContactPhone, readVcard } from "../../lib/text/read-vcard.ts";
import { mailtoUri, mapSearchUrl } from "../../lib/web/app-links.ts";
import { cacheControlOf } from "../../lib/web/page-cache.ts";
import { withoutScheme } from "../../lib/web/without-scheme.ts";
import { scannerLanguage } from "../../ui/visitors/texts/catalogue.ts";
import type { PhoneKind, Texts } from "../../ui/visitors/texts/texts.ts";
import { headersWith, page, reportLink } from "./pages.ts";
import { platformOf } from "./platform.ts";

/** The styles besides those of every page. The headers allow them by their hash; a test checks that they match. */
const style = `main { padding-top: 8vh }
.role { margin: -.5rem 0 1.5rem; color: var(--quiet) }
.save { display: block; margin: 0 0 1.5rem; padding: .875rem 1.5rem }
.ways { margin: 0 0 1rem; padding: 0; list-style: none; text-align: start }
.ways a { display: block; padding: .625rem .25rem; border-top: 1px solid var(--line); color: inherit; line-height: 1.4; text-decoration: none }
.ways li:last-child a { border-bottom: 1px solid var(--line) }
.ways a:hover { background: var(--hover) }
.kind { display: block; color: var(--quiet); font-size: .875rem }
.way { font-variant-numeric: tabular-nums; white-space: pre-line }
blockquote { line-height: 1.5 }`;

const styleHash = "'sha256-wpw+82JYeOsDbZEh4XyhuEoh26vEJTbGWESY1oV03As='";

/**
 * A page with a contact to call, to write to, to find and to save, in the scanner's language. Many browsers open no vCard:
 * those inside of other apps, and all but Safari on an iPhone.
 * @param vcard as the code's record has it
 * @param hash of the code
 */
export function contactPage(request: Request, vcard: string, hash: string): Response {
  const { texts, language } = scannerLanguage(request);
  const { contact, reportCode } = texts;
  const { name, title, organization, phones, emails, urls, address, note } = readVcard(vcard);
  const isApple = platformOf(request.headers.get("user-agent") ?? "") === "ios";
  const role = [title, organization].filter((part) => part !== undefined);
  const ways = [
    ...phones.map((phone) => phoneWay(phone, contact)),
    ...emails.map((email) => way(contact.email, mailtoUri({ to: email }), email, "ltr")),
    ...urls.map((url) => way(contact.website, url, withoutScheme(url), "ltr")),
    ...(address.length === 0
      ? []
      : [way(contact.address, mapSearchUrl(address.join(", "), isApple), address.join("\n"), "auto")]),
  ];
  const main = [
    `<h1 dir="auto">${escapeHtml(name)}</h1>`,
    ...(role.length === 0 ? [] : [`<p class="role" dir="auto">${escapeHtml(role.join(" · "))}</p>`]),
    // The same address with another query, so that an alias and a host of the owner's stay.
    `<a class="button save" href="?vcf">${contact.save}</a>`,
    ...(ways.length === 0 ? [] : ['<ul class="ways">', ...ways, "</ul>"]),
    ...(note === undefined ? [] : [`<blockquote dir="auto">${escapeHtml(note)}</blockquote>`]),
    reportLink(hash, reportCode),
  ].join("\n");
  const head = `<style>${style}</style>\n`;
  const html = page({ title: escapeHtml(name), main, head, language });
  return new Response(html, {
    headers: { ...headersWith(styleHash), "cache-control": cacheControlOf(html) },
  });
}

/** A line of the list, to tap. */
const way = (kind: string, href: string, text: string, direction: "ltr" | "auto"): string =>
  `<li><a href="${escapeHtml(href)}"><span class="kind"><bdi>${escapeHtml(kind)}</bdi></span>` +
  `<bdi class="way" dir="${direction}">${escapeHtml(text)}</bdi></a></li>`;

/** The kinds of numbers by the types in vCards. */
const phoneKinds: Readonly<Record<string, PhoneKind>> = {
  CELL: "mobile",
  WORK: "work",
  HOME: "home",
  FAX: "fax",
};

function phoneWay({ number, type = "", label }: ContactPhone, texts: Texts["contact"]): string {
  const [dialled = "", extension] = number.split(",");
  const kind = label ?? texts.phones[phoneKinds[type] ?? "other"];
  const shown =
    extension === undefined ? spaced(dialled) : `${spaced(dialled)} ${texts.extension(extension)}`;
  return way(kind, `tel:${number}`, shown, "ltr");
}

/** Country codes of one or two digits; all others have three. */
const shortCodes = /^\+(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/**
 * Returns a number with a space after its country code, and grouped where the country code is 1. How other countries group
 * theirs is too much to know for a scan. @param number E.164
 */
function spaced(number: string): string {
  const [code = number.slice(0, 4)] = shortCodes.exec(number) ?? [];
  const rest = number.slice(code.length);
  return `${code} ${code === "+1" ? rest.replace(/^(\d{3})(\d{3})(\d{4})$/, "$1 $2 $3") : rest}`;
}
