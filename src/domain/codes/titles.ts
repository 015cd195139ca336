import type { QrData } from "../../contract/resources/qr-data.ts";
import { findQrs } from "../../store/codes/codes.ts";
import { findPageTitles } from "../../store/pages.ts";
import type { Deps } from "../deps.ts";
import type { WorkspaceContext } from "../identity/caller.ts";

interface Titled {
  readonly name: string | null;
  readonly data: QrData;
  readonly scanUrl: string;
}

/** The title of a code, wherever one is named: its name, else where it leads, else its short link. */
export function codeTitle({ name, data, scanUrl }: Titled): string {
  // The data of a deleted code may be erased.
  const { type }: Partial<QrData> = data;
  const leadsNowhereElse = type === undefined || type === "servicepage";
  return name ?? (leadsNowhereElse ? withoutScheme(scanUrl) : destinationOf(data));
}

/** A code in few words. */
export interface CodeWords {
  readonly title: string;
  /** Empty once it is erased. */
  readonly destination: string;
  readonly scanUrl: string;
}

/** The same of codes of the workspace by id, deleted ones included. */
export async function findCodeWords(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CodeWords>> {
  const found = await findQrs(deps.db, workspaceId, ids);
  return new Map(
    [...found].map(([id, row]) => {
      const scanUrl = `${deps.settings.scanOrigin}/${row.hash}`;
      const { type }: Partial<QrData> = row.data;
      const destination = type === undefined ? "" : destinationOf(row.data);
      return [id, { title: codeTitle({ ...row, scanUrl }), destination, scanUrl }];
    }),
  );
}

/** The titles of codes of the workspace by id, deleted ones included. */
export const findCodeTitles = async (
  deps: Deps,
  context: WorkspaceContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  new Map([...(await findCodeWords(deps, context, ids))].map(([id, { title }]) => [id, title]));

/** The titles of the hosted pages that codes show, by the page's id. */
export function pageTitlesOf(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  codes: readonly Pick<Titled, "data">[],
): Promise<ReadonlyMap<string, string>> {
  const ids = codes.flatMap(({ data }) => (data.type === "servicepage" ? data.pageId : []));
  return findPageTitles(deps.db, workspaceId, [...new Set(ids)]);
}

/** Where a code leads, in few words. @param pageTitles of hosted pages, by id */
export function destinationOf(data: QrData, pageTitles?: ReadonlyMap<string, string>): string {
  switch (data.type) {
    case "url":
      return withoutScheme(data.url);
    case "applink":
      return withoutScheme(data.fallback);
    case "vcard":
      return [data.firstName, data.lastName].filter((part) => part !== undefined).join(" ");
    case "sms":
    case "whatsapp":
      return data.phone;
    case "email":
      return data.to;
    case "location":
      return data.label ?? `${data.latitude}, ${data.longitude}`;
    case "telegram":
      return `@${data.username}`;
    case "servicepage":
      return pageTitles?.get(data.pageId) ?? "A hosted page";
  }
}

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, "").replace(/\/$/, "");
