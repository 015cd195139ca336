import * as z from "zod";
import { limits } from "../../contract/limits.ts";
import { AbuseReportReason } from "../../contract/resources/operations/abuse-reports.ts";
import { email, manyLines } from "../../contract/text.ts";
import { pageUrl, shownTarget } from "../../edge/routing/route-target.ts";
import { visitorKey } from "../../edge/scans/visitor-key.ts";
import { hmac } from "../../lib/crypto/digest.ts";
import { isId, newId } from "../../lib/text/ids.ts";
import { networksOf } from "../../lib/web/network.ts";
import { findExceeded } from "../../lib/web/network-limit.ts";
import { domainKey, pageKey } from "../../protocol/routes.ts";
import { insertAbuseReport, type NewAbuseReport } from "../../store/operations/abuse-reports.ts";
import { findCodeByHash, findDomainByHost, findPageById } from "../../store/routing/route-sources.ts";
import type { Deps } from "../deps.ts";
import { findAnswering, readScanAddress, siteOfAnyone } from "../routing/answering.ts";

/** The fields of the abuse report form. */
const AbuseReportForm = z.object({
  code: z
    .string()
    .max(limits.abuseReport.link)
    .refine((text) => readScanAddress(text) !== null),
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
      ? await findReportedPage(deps, parsed.data.page.toLowerCase(), null)
      : await findReported(deps, parsed.data.code);
  if (subject === "no address") return { code: "invalid" };
  if (subject === undefined) return "received";
  const now = deps.now();
  const network = await digestOf(deps, clientAddress);
  const report = { ...subject, id: newId(now), reason, details, email: contact, network, createdAt: now };
  await insertAbuseReport(deps.db, report, limits.abuseReport);
  return "received";
}

/** Hex digits of a network's digest: enough to tell it from others, too few to tell which one it is. */
const digestLength = 6;

/** Returns a short digest of a client's network, the widest that one client may have; null if it isn't known. */
async function digestOf(deps: Deps, clientAddress: string): Promise<string | null> {
  const widest = networksOf(clientAddress).at(-1)?.network ?? "";
  if (widest === "") return null;
  const digest = await hmac(await visitorKey(deps), `abuse report ${widest}`);
  return new Uint8Array(digest).toHex().slice(0, digestLength);
}

/** The code, page or domain that an abuse report is about. */
type Subject = Pick<
  NewAbuseReport,
  "routeKey" | "link" | "hash" | "qrId" | "pageId" | "workspaceId" | "destination"
>;

/** Finds what answers at an address. @returns `no address` if no code or page could */
async function findReported(deps: Deps, text: string): Promise<Subject | undefined | "no address"> {
  const given = readScanAddress(text);
  if (given === null) return "no address";
  const { host, path } = given;
  const link = host === null ? null : `${host}${path}`.slice(0, limits.abuseReport.storedLink);
  const [found] = await findAnswering(deps, [given], await siteOfAnyone(deps, given));
  switch (found?.kind) {
    case "code":
      return findCode(deps, found.hash, link);
    case "page":
      return findReportedPage(deps, found.pageId, link, found.workspaceId);
    case "domain":
      return findReportedDomain(deps, found.host, path, link);
    default:
      return found?.hash == null ? "no address" : undefined;
  }
}

async function findCode(deps: Deps, hash: string, link: string | null): Promise<Subject | undefined> {
  const code = await findCodeByHash(deps.db, hash);
  if (code === null) return undefined;
  const { id: qrId, workspaceId, data } = code;
  const pageId = data.type === "servicepage" ? data.pageId : null;
  const destination = shownTarget(deps.settings.scanOrigin, data);
  return { routeKey: hash, link, hash, qrId, pageId, workspaceId, destination };
}

/** @param of the only workspace whose pages are meant; null for all */
async function findReportedPage(
  deps: Deps,
  pageId: string,
  link: string | null,
  of: string | null = null,
): Promise<Subject | undefined> {
  const page = isId(pageId) ? await findPageById(deps.db, pageId) : null;
  if (page === null || (of !== null && page.workspaceId !== of)) return undefined;
  const { workspaceId } = page;
  const destination = pageUrl(deps.settings.scanOrigin, pageId);
  return { routeKey: pageKey(pageId), link, hash: null, qrId: null, pageId, workspaceId, destination };
}

async function findReportedDomain(
  deps: Deps,
  host: string,
  path: string,
  link: string | null,
): Promise<Subject | undefined> {
  const domain = await findDomainByHost(deps.db, host);
  if (domain === null) return undefined;
  const { workspaceId, rootUrl, unknownUrl } = domain;
  const destination = path === "/" ? rootUrl : unknownUrl;
  const none = { hash: null, qrId: null, pageId: null };
  return { routeKey: domainKey(host), link, ...none, workspaceId, destination };
}
