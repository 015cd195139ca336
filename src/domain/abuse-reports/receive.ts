import * as z from "zod";
import { limits } from "../../contract/limits.ts";
import { AbuseReportReason } from "../../contract/resources/operations/abuse-reports.ts";
import { email, manyLines } from "../../contract/text.ts";
import { readHash } from "../../lib/text/hash.ts";
import { isId, newId } from "../../lib/text/ids.ts";
import { pageKey } from "../../protocol/routes.ts";
import { insertAbuseReport, type NewAbuseReport } from "../../store/operations/abuse-reports.ts";
import { findCodeByHash, findPageById } from "../../store/routing/route-sources.ts";
import type { Deps } from "../deps.ts";
import { findExceeded } from "../network-limit.ts";
import { lookUpWithCorrections } from "../routing/misreadings.ts";
import { routeTarget } from "../routing/route-target.ts";

/** The fields of the abuse report form. */
const AbuseReportForm = z.object({
  code: z
    .string()
    .transform(readCode)
    .refine((hash) => hash !== null),
  reason: AbuseReportReason,
  details: manyLines(limits.abuseReport.details).optional(),
  email: email.optional(),
});

/** The same for a hosted page. Any id is accepted, because an unknown page gets the same answer as a known one. */
const PageAbuseReportForm = AbuseReportForm.omit({ code: true }).extend({ page: z.string() });

/** Why values are invalid, by field name. The page words them. */
export type AbuseReportProblems = Readonly<
  Partial<Record<keyof z.output<typeof AbuseReportForm>, "tooLong" | "invalid">>
>;

/** Reads the hash in a code's address, or as people type it; null for anything else. */
export function readCode(text: string): string | null {
  const [path = ""] = text.trim().split(/[?#]/);
  return readHash(path.replace(/\/$/, "").split("/").at(-1) ?? "");
}

/**
 * Receives an abuse report. Reports about unknown codes or pages are accepted but not stored, so that the response
 * doesn't reveal which ones exist.
 * @param values by field name
 * @returns the problems if any value is invalid; `limited` for a network that sends too many
 */
export async function receiveAbuseReport(
  deps: Deps,
  values: URLSearchParams,
  clientAddress: string,
): Promise<"received" | "limited" | AbuseReportProblems> {
  if ((await findExceeded(deps.abuseReportLimit, clientAddress)) !== undefined) return "limited";
  const filledIn = [...values]
    .map(([name, value]) => [name, value.trim()])
    .filter(([, value]) => value !== "");
  const form = values.has("page") ? PageAbuseReportForm : AbuseReportForm;
  const parsed = form.safeParse(Object.fromEntries(filledIn));
  if (!parsed.success) {
    return Object.fromEntries(
      parsed.error.issues.map(({ path, code }) => [path[0], code === "too_big" ? "tooLong" : "invalid"]),
    );
  }
  const { reason, details = null, email: contact = null } = parsed.data;
  const subject =
    "page" in parsed.data
      ? await findReportedPage(deps, parsed.data.page.toLowerCase())
      : await lookUpWithCorrections(deps, parsed.data.code ?? "", (hash) => findCode(deps, hash));
  if (subject === undefined) return "received";
  const now = deps.now();
  const report = { ...subject, id: newId(now), reason, details, email: contact, createdAt: now };
  await insertAbuseReport(deps.db, report, limits.abuseReport);
  return "received";
}

/** The code or page that an abuse report is about. */
type Subject = Pick<NewAbuseReport, "routeKey" | "hash" | "qrId" | "pageId" | "workspaceId" | "destination">;

async function findCode(deps: Deps, hash: string): Promise<Subject | undefined> {
  const code = await findCodeByHash(deps.db, hash);
  if (code === null) return undefined;
  const { id: qrId, workspaceId, data } = code;
  const pageId = data.type === "servicepage" ? data.pageId : null;
  const destination = pageId === null ? routeTarget(data).destination || null : pageUrl(deps, pageId);
  return { routeKey: hash, hash, qrId, pageId, workspaceId, destination };
}

async function findReportedPage(deps: Deps, pageId: string): Promise<Subject | undefined> {
  const page = isId(pageId) ? await findPageById(deps.db, pageId) : null;
  if (page === null) return undefined;
  const { workspaceId } = page;
  const destination = pageUrl(deps, pageId);
  return { routeKey: pageKey(pageId), hash: null, qrId: null, pageId, workspaceId, destination };
}

const pageUrl = (deps: Deps, pageId: string): string => `${deps.settings.scanOrigin}/pages/${pageId}`;
