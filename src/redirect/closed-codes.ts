import type { ClosedCodeStatus } from "../hosted-pages/texts/texts.ts";
import type { Resolved } from "../domain/routing/owned-record-reader.ts";
import type { Route } from "../protocol/routes.ts";
import { page, pageHeaders, reportLink } from "./pages.ts";
import { scannerLanguage } from "./scanner-language.ts";

/** The pages of codes that lead nowhere, in the scanner's language. Never cached: a code may come back any second. */

/** 404 for an unknown or deleted code. */
export const codeNotFound = (request: Request, hash: string): Response =>
  answer(request, "missing", 404, hash);

/** A code whose scans are not answered by its target. */
export type ClosedCode = Pick<Resolved<Route>, "route" | "suspended">;

/**
 * For a code that the operator has suspended, 403, or 451 on a legal order: the page says neither why nor where the code
 * led. Else 404, for a code that is deleted, paused, expired or not started.
 * @param now epoch milliseconds
 */
export function codeClosed(
  request: Request,
  hash: string,
  { route, suspended }: ClosedCode,
  now: number,
): Response {
  if (route.status === "deleted") return codeNotFound(request, hash);
  if (suspended !== undefined) return answer(request, "suspended", suspended.legalOrder ? 451 : 403);
  return answer(request, closedStatus(route, now), 404, hash);
}

function closedStatus({ status, startsAt }: Route, now: number): ClosedCodeStatus {
  if (status === "paused") return "paused";
  return startsAt !== undefined && now < startsAt ? "notStarted" : "expired";
}

/** The page of a status. @param hash of the code, if it can be reported */
function answer(request: Request, state: ClosedCodeStatus, status: number, hash?: string): Response {
  const { texts, language } = scannerLanguage(request);
  const { codes, reportCode } = texts;
  const { title, text } = codes[state];
  const main = [
    `<h1>${title}</h1>`,
    `<p>${text}</p>`,
    ...(hash === undefined ? [] : [reportLink(hash, reportCode)]),
  ];
  return new Response(page({ title, main: main.join("\n"), language }), { status, headers: pageHeaders });
}
