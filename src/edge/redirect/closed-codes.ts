import { agentRuleOf } from "../../lib/text/bot-rules.ts";
import { scannerLanguage } from "../../ui/visitors/texts/catalogue.ts";
import type { CodeNotice } from "../../ui/visitors/texts/texts.ts";
import { closedReason, type ScannedRoute } from "./actions.ts";
import { page, pageHeaders, reportLink } from "./pages.ts";

/**
 * Pages, in the scanner's language, for codes that lead nowhere or can't be opened. Never cached: a code may become
 * available again at any moment.
 */

/** 404 for an unknown or deleted code. */
export const codeNotFound = (request: Request, hash: string): Response =>
  noticeResponse(request, "missing", 404, { hash });

/** 404 on the host of scans, for a path that can't be a code's. */
export const addressNotFound = (request: Request): Response => noticeResponse(request, "noCode", 404);

/**
 * 503 when a code can't be looked up: the catalogue can't be read, or the network has too many look-ups in progress.
 */
export const codeUnavailable = (request: Request): Response =>
  noticeResponse(request, "unavailable", 503, { headers: { "retry-after": "10" } });

/**
 * Suspended by the operator: 403, or 451 on a legal order. The page says neither why nor where the code led. Deleted,
 * with its workspace too, paused, expired or not started: 404.
 * @param now epoch milliseconds
 */
export function codeClosed(request: Request, hash: string, code: ScannedRoute, now: number): Response {
  const { suspended } = code;
  const reason = closedReason(code, now);
  if (reason === "deleted" || suspended?.closed) return codeNotFound(request, hash);
  if (suspended !== undefined) return noticeResponse(request, "suspended", suspended.legalOrder ? 451 : 403);
  if (reason === "paused") return noticeResponse(request, "paused", 404, { hash });
  return noticeResponse(request, reason === "not_started" ? "notStarted" : "expired", 404, { hash });
}

/** Returns whether a user agent is a program's. */
export const isProgram = (userAgent: string): boolean => agentRuleOf(userAgent) !== null;

interface Extras {
  /** The code's hash, if the code can be reported. */
  readonly hash?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function noticeResponse(
  request: Request,
  notice: CodeNotice,
  status: number,
  { hash, headers }: Extras = {},
): Response {
  const { texts, language } = scannerLanguage(request);
  const { codes, reportCode } = texts;
  const { title, text } = codes[notice];
  const main = [
    `<h1>${title}</h1>`,
    `<p>${text}</p>`,
    ...(hash === undefined ? [] : [reportLink(hash, reportCode)]),
  ];
  return new Response(page({ title, main: main.join("\n"), language }), {
    status,
    headers: { ...pageHeaders, ...headers },
  });
}
