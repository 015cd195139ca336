import { chineseScript, withScript } from "../../../lib/text/chinese.ts";
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
import { zhHant } from "./zh-hant.ts";

/** The service's texts by their language: its primary subtag, and traditional Chinese beside the simplified one. */
const catalogue: Readonly<Record<string, Texts>> = {
  ...{ en, de, fr, es, it, pt, nl, pl, tr, ja, zh },
  "zh-Hant": zhHant,
  ar,
};

/** The languages of the service's texts. */
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
  const known = chineseScript(language) === "Hant" ? "zh-Hant" : primary;
  const texts = Object.hasOwn(catalogue, known) ? catalogue[known] : undefined;
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
  const preferred = preferredLanguage(request.headers.get("accept-language"), languages) ?? "en";
  const tag = withScript(preferred);
  return { texts: textsFor(preferred).texts, language: { tag, direction: directionOf(tag) } };
}
