import { afterEach, describe, expect, it } from "vitest";
import { bounds } from "../../../src/protocol/bounds.ts";
import { pageAt, signedIn } from "../../support/dashboard.ts";
import { Service } from "../../support/service.ts";

const service = new Service();
const usual = bounds.search;
afterEach(() => {
  Object.assign(bounds, { search: usual });
});

describe("a search of the codes", () => {
  it("goes on by itself, and counts what its pages have found", async () => {
    const me = await signedIn(service);
    for (const name of ["Attic lamp", "Hall lamp", "Lamp", "Other"]) await me.client.createQr({ name });
    Object.assign(bounds, {
      search: { ...usual, entries: 1, perIndex: 1, codes: 1, statements: 1, whole: 0 },
    });
    const found: string[] = [];
    const counts: string[] = [];
    for (let path = "/dashboard/codes?q=lamp"; path !== ""; ) {
      const page = await pageAt(me.browser, path);
      found.push(...[...page.matchAll(/>([^<]*amp)<\/a>/g)].map(([, name = ""]) => name));
      counts.push(/id="list-count">(.*?)<\/p>/s.exec(page)?.[1]?.replaceAll(/<[^>]*>/g, "") ?? "");
      expect(page).not.toContain("No results");
      const next = /hx-get="([^"]+)" hx-trigger="load"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
      // The same without scripts.
      expect([next, page.includes(`href="${next.replaceAll("&", "&amp;")}" rel="next"`)]).toEqual([
        next,
        next !== "",
      ]);
      path = next;
    }
    expect(found).toEqual(["Lamp", "Attic lamp", "Hall lamp"]);
    expect(counts[0]).toBe("1 so far of 4 codes");
    expect(counts.at(-1)).toBe("3 of 4 codes");
  });

  it("says that there are no results once all of its pages had none", async () => {
    const me = await signedIn(service);
    for (const name of ["One", "Two"]) await me.client.createQr({ name });
    Object.assign(bounds, {
      search: { ...usual, entries: 1, perIndex: 1, codes: 1, statements: 1, whole: 0 },
    });
    const pages: boolean[] = [];
    for (let path = "/dashboard/codes?q=nobody"; path !== ""; ) {
      const page = await pageAt(me.browser, path);
      pages.push(page.includes("No results"));
      path = /hx-get="([^"]+)" hx-trigger="load"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    }
    expect([pages.length > 2, pages.indexOf(true)]).toEqual([true, pages.length - 1]);
  });
});
