import type { QrData } from "../../contract/resources/codes/qr-data.ts";
import { formatPhone } from "../../lib/text/phone.ts";
import { contactName } from "../../lib/text/vcard.ts";
import { withoutScheme } from "../../lib/web/without-scheme.ts";
import { findQrs } from "../../store/codes/codes.ts";
import { scanUrlOf } from "../../store/codes/columns.ts";
import { findPageTitles } from "../../store/pages.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";

interface Titled {
  readonly name: string | null;
  readonly data: QrData;
  readonly scanUrl: string;
}

/**
 * Returns a code's title, which is used wherever a code is named: its name, else its destination, else its short link.
 */
export function codeTitle({ name, data, scanUrl }: Titled): string {
  // A deleted code's data may be erased.
  const { type }: Partial<QrData> = data;
  const leadsNowhereElse = type === undefined || type === "servicepage";
  return name ?? (leadsNowhereElse ? withoutScheme(scanUrl) : destinationText(data));
}

/** A code's title and destination. */
export interface CodeWords {
  readonly title: string;
  /** Empty once the code is erased. */
  readonly destination: string;
  readonly scanUrl: string;
}

/** Returns titles and destinations of the workspace's codes by id, including deleted ones. */
export async function findCodeWords(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CodeWords>> {
  const found = await findQrs(deps.db, workspaceId, ids);
  return new Map(
    [...found].map(([id, row]) => {
      const scanUrl = scanUrlOf(row, deps.settings.scanOrigin);
      const { type }: Partial<QrData> = row.data;
      const destination = type === undefined ? "" : destinationText(row.data);
      return [id, { title: codeTitle({ ...row, scanUrl }), destination, scanUrl }];
    }),
  );
}

/** Returns titles of the workspace's codes by id, including deleted ones. */
export const findCodeTitles = async (
  deps: Deps,
  context: WorkspaceContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  new Map([...(await findCodeWords(deps, context, ids))].map(([id, { title }]) => [id, title]));

/** Returns the titles of the hosted pages that codes show, by page id. */
export function pageTitlesOf(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  codes: readonly Pick<Titled, "data">[],
): Promise<ReadonlyMap<string, string>> {
  const ids = codes.flatMap(({ data }) => (data.type === "servicepage" ? data.pageId : []));
  return findPageTitles(deps.db, workspaceId, [...new Set(ids)]);
}

/** Says in a few words where a code leads, everywhere the same. @param pageTitles of hosted pages, by id */
export function destinationText(data: QrData, pageTitles?: ReadonlyMap<string, string>): string {
  switch (data.type) {
    case "url":
      return withoutScheme(data.url);
    case "applink":
      return `App Store or Google Play, else ${withoutScheme(data.fallback)}`;
    case "vcard":
      return contactName(data);
    case "sms":
      return `Text to ${formatPhone(data.phone)}`;
    case "whatsapp":
      return `WhatsApp to ${formatPhone(data.phone)}`;
    case "email":
      return `Email to ${data.to}`;
    case "location":
      return data.label ?? `${data.latitude}, ${data.longitude}`;
    case "telegram":
      return `@${data.username}`;
    case "servicepage": {
      const title = pageTitles?.get(data.pageId);
      return title === undefined ? "A hosted page" : `Page: ${title}`;
    }
  }
}
