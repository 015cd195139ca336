import { preferredLanguage } from "../../../lib/web/accept-language.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { ja } from "./ja.ts";
import { nl } from "./nl.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";
import type { Texts } from "./texts.ts";
import { tr } from "./tr.ts";
import { zh } from "./zh.ts";

/** The service's texts by the primary subtag of their language. */
const catalogue: Readonly<Record<string, Texts>> = { en, de, fr, es, it, pt, nl, pl, tr, ja, zh, ar };

/** The languages of the service's texts, as primary subtags. */
export const languages: readonly string[] = Object.keys(catalogue);

/** The service's texts for a page, and the attributes of the elements that contain them. */
export interface PageTexts {
  readonly texts: Texts;
  /** Empty if the texts are in the page's language; otherwise marks them as English. */
  readonly marks: { readonly lang?: "en"; readonly dir?: "ltr" };
}

/**
 * Returns the texts in a page's language if the catalogue has it, otherwise in English.
 * @param language of the page, as BCP 47
 */
export function textsFor(language: string): PageTexts {
  const [primary = ""] = language.toLowerCase().split("-");
  const texts = Object.hasOwn(catalogue, primary) ? catalogue[primary] : undefined;
  return texts === undefined ? { texts: en, marks: { lang: "en", dir: "ltr" } } : { texts, marks: {} };
}

/** Returns the direction in which a language is written. @param language as BCP 47 */
export function directionOf(language: string): "ltr" | "rtl" {
  try {
    return new Intl.Locale(language).getTextInfo().direction ?? "ltr";
  } catch {
    // The API accepts some malformed language tags.
    return "ltr";
  }
}

/**
 * Returns the language that a request prefers, with the service's texts in it. The pages need no `Vary`, since they are
 * never cached.
 */
export function scannerLanguage(request: Request) {
  const tag = preferredLanguage(request.headers.get("accept-language"), languages) ?? "en";
  return { texts: textsFor(tag).texts, language: { tag, direction: directionOf(tag) } };
}
