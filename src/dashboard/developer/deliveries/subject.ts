/** A page of the dashboard about what an event is about. */
interface Subject {
  readonly href: string;
  readonly name: string;
}

/** The code or hosted page that a delivery's event is about; null for other events, batches and tests. */
export function subjectOf(payload: Readonly<Record<string, unknown>> | null): Subject | null {
  const { event, data } = payload ?? {};
  if (typeof event !== "string" || typeof data !== "object" || data === null || "test" in data) return null;
  const { id, qrId, name, hash, pageId } = data as Readonly<Record<string, unknown>>;
  if (typeof pageId === "string") return { href: `/dashboard/pages/${pageId}`, name: "The hosted page" };
  const code = event === "qr.scanned" ? qrId : id;
  if (!event.startsWith("qr.") || typeof code !== "string") return null;
  return { href: `/dashboard/codes/${code}`, name: String(name ?? hash ?? "The code") };
}
