import { codeId } from "../../scripts/lib/seed.ts";

/** The most pages that are opened. */
const maxPages = 150;

/**
 * Follows the links of the dashboard's pages, one of each list, and reads their forms.
 * @param headers with a session
 * @param most that are needed
 * @returns the names of the fields of each form, by its address
 */
export async function formsOf(
  origin: string,
  headers: Readonly<Record<string, string>>,
  most: number,
): Promise<Map<string, Set<string>>> {
  const forms = new Map<string, Set<string>>();
  const pages = new Set(["/dashboard"]);
  for (const path of pages) {
    if (forms.size >= most) break;
    const response = await fetch(origin + path, { headers, redirect: "manual" });
    const isHtml = (response.headers.get("content-type") ?? "").startsWith("text/html");
    const html = isHtml ? await response.text() : "";
    for (const [, link = ""] of html.matchAll(/href="(\/dashboard[^"#?]*)/g)) {
      const isOther = /[0-9a-f]{8}-[0-9a-f]{4}/.test(link) && !link.includes(codeId(1));
      if (!isOther && !/\.\w+$|sign-out/.test(link) && pages.size < maxPages) pages.add(link);
    }
    for (const [form] of html.matchAll(/<form\b.*?<\/form>/gs)) {
      if (!/^<form\b[^>]*method="post"/.test(form)) continue;
      const action = /^<form\b[^>]* action="([^"]*)"/.exec(form)?.[1] ?? path;
      const known = forms.get(action) ?? new Set<string>();
      for (const [, name = ""] of form.matchAll(/<(?:input|textarea|select)\b[^>]* name="([^"]+)"/g))
        known.add(name);
      forms.set(action, known);
    }
  }
  return forms;
}
