import { findCodeTitles } from "../../../domain/codes/titles.ts";
import type { DashboardRequest } from "../../frame/request.ts";

/** The dashboard page of the resource that an event is about. */
interface Subject {
  readonly href: string;
  readonly name: string;
}

/** Returns the code or hosted page that a delivery's event is about; null for other events, batches and tests. */
export async function subjectOf(
  { deps, context }: DashboardRequest,
  payload: Readonly<Record<string, unknown>> | null,
): Promise<Subject | null> {
  const { event, data } = payload ?? {};
  if (typeof event !== "string" || typeof data !== "object" || data === null || "test" in data) return null;
  const { id, qrId, pageId } = data as Readonly<Record<string, unknown>>;
  if (typeof pageId === "string") return { href: `/dashboard/pages/${pageId}`, name: "The hosted page" };
  const code = event === "qr.scanned" ? qrId : id;
  if (!event.startsWith("qr.") || typeof code !== "string") return null;
  const titles = await findCodeTitles(deps, context, [code]);
  return { href: `/dashboard/codes/${code}`, name: titles.get(code) ?? "The code" };
}
