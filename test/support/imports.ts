import { expect } from "vitest";
import { type Qr, QrList } from "../../src/contract/resources/codes/qr.ts";
import type { Browser } from "./browser.ts";
import { fieldsOf, type SignedInBrowser } from "./dashboard.ts";
import { origin } from "./service.ts";

export const importPath = "/dashboard/codes/import";

type Fields = Record<string, string | Uint8Array<ArrayBuffer>>;

/** Submits a form of the import. @returns the resulting page */
export async function importStep(browser: Browser, fields: Fields, status = 200): Promise<string> {
  const answer = await browser.upload(importPath, fields);
  const page = await answer.text();
  expect({ status: answer.status, page }).toEqual({ status, page: expect.anything() });
  return page;
}

/** Starts the job of a page whose rows have been checked. @returns the path of the job's page */
export async function startImport(browser: Browser, page: string): Promise<string> {
  const answer = await browser.upload(importPath, { ...fieldsOf(page), step: "start" });
  expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 303, text: "" });
  return answer.headers.get("location")?.replace(origin, "") ?? "";
}

/** Returns the codes of the workspace, by destination. */
export async function codesByDestination({ client }: SignedInBrowser): Promise<Qr[]> {
  const { items } = await client.expect(200, QrList, "GET", "/qr?limit=100");
  const urlOf = ({ data }: Qr) => (data.type === "url" ? data.url : "");
  return items.toSorted((a, b) => urlOf(a).localeCompare(urlOf(b)));
}

/** Returns the columns chosen on a page, in order. */
export const columnsOf = (page: string): string[] =>
  Object.entries(fieldsOf(page)).flatMap(([name, value]) => (/^column\.\d+$/.test(name) ? [value] : []));
