import { preferredLanguage } from "../../lib/web/accept-language.ts";
import { directionOf, languages, textsFor } from "./catalogue.ts";

/**
 * The service's texts in the language that a request prefers, and that language. Pages in it need no `Vary`, since none is
 * ever cached.
 */
export function scannerLanguage(request: Request) {
  const tag = preferredLanguage(request.headers.get("accept-language"), languages) ?? "en";
  return { texts: textsFor(tag).texts, language: { tag, direction: directionOf(tag) } };
}
