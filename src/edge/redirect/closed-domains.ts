import { escapeHtml } from "../../lib/text/html.ts";
import type { DomainRoute } from "../../protocol/routes.ts";
import { scannerLanguage } from "../../ui/visitors/texts/catalogue.ts";
import type { DomainNotice } from "../../ui/visitors/texts/texts.ts";
import { page, pageHeaders } from "./pages.ts";

/** Pages, in the visitor's language, at the hosts of domains. Never cached: they may change at any moment. */

/** A domain whose codes don't answer: 404 for one that was removed, 503 for one that isn't ready, 403 or 451 for a suspended one. */
export function domainClosed(request: Request, { status, legalOrder }: DomainRoute): Response {
  if (status === "suspended") return noticeResponse(request, "suspended", legalOrder ? 451 : 403);
  return status === "pending"
    ? noticeResponse(request, "pending", 503, { "retry-after": "300" })
    : noticeResponse(request, "removed", 404);
}

/** 404 for the host itself, and for paths without a code, where the domain's owner chose no address for them. */
export const domainPage = (request: Request, { name }: DomainRoute): Response =>
  noticeResponse(request, "noCode", 404, {}, name);

function noticeResponse(
  request: Request,
  notice: DomainNotice | "noCode",
  status: number,
  headers: Readonly<Record<string, string>> = {},
  name?: string,
): Response {
  const { texts, language } = scannerLanguage(request);
  const { title, text } = notice === "noCode" ? texts.codes.noCode : texts.domains[notice];
  const owner = name === undefined ? "" : `<p>${escapeHtml(name)}</p>\n`;
  return new Response(page({ title, main: `${owner}<h1>${title}</h1>\n<p>${text}</p>`, language }), {
    status,
    headers: { ...pageHeaders, ...headers },
  });
}
