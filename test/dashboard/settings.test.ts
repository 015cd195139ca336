import { beforeAll, describe, expect, it } from "vitest";
import { Workspace } from "../../src/contract/resources/identity/workspace.ts";
import type { Browser } from "../support/browser.ts";
import { pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
import { Service } from "../support/service.ts";

const service = new Service();
const path = "/dashboard/settings";
let me: SignedInBrowser;
let browser: Browser;

beforeAll(async () => {
  me = await signedIn(service, "starter");
  ({ browser } = me);
});

/** The links of the settings' own navigation, by address, with the current one. */
const navigation = (page: string) => {
  const [, links = ""] = /<nav class="settings-nav"[^>]*>(.*?)<\/nav>/s.exec(page) ?? [];
  return {
    paths: Array.from(links.matchAll(/href="([^"]+)"/g), ([, to = ""]) => to),
    current: /href="([^"]+)" aria-current="page"/.exec(links)?.[1],
  };
};

describe("the settings", () => {
  it("lead from each of their pages to all others, and say which one is open", async () => {
    const { paths } = navigation(await pageAt(browser, path));
    expect(paths).toEqual(expect.arrayContaining([path, `${path}/plan`, `${path}/brand`, `${path}/account`]));
    for (const each of paths) {
      const page = await pageAt(browser, each);
      if (each.startsWith(path)) expect(navigation(page)).toEqual({ paths, current: each });
    }
  });

  it("rename the workspace, and keep a name that is refused in the form", async () => {
    const renamed = await browser.submit(path, { name: "Harbour <b>Coffee</b>" });
    expect([renamed.status, renamed.headers.get("location")?.endsWith(path)]).toEqual([303, true]);
    const page = await pageAt(browser, path);
    expect(page).toContain("Settings saved.");
    expect(page).toContain("Harbour &lt;b&gt;Coffee&lt;/b&gt;");
    const refused = await browser.submit(path, { name: "x".repeat(101) });
    expect(refused.status).toBe(400);
    const form = await refused.text();
    expect(form).toContain("can have at most 100 characters");
    expect(form).toContain("x".repeat(101));
    expect(await pageAt(browser, path)).toContain("Harbour &lt;b&gt;Coffee&lt;/b&gt;");
  });

  it("show how much of each limit is used, and what happens there", async () => {
    await browser.submit("/dashboard/codes/new", { qrType: "url", "data.url": "example.com" });
    const session = await service.sessionIn(me.client.workspaceId);
    const { limits } = await session.expect(200, Workspace, "GET", "/developer/workspace");
    const page = await pageAt(browser, `${path}/plan`);
    for (const shown of [
      "Starter plan",
      `>${limits.liveCodes}<`,
      "Not in your plan",
      "More in the Pro plan",
    ]) {
      expect(page).toContain(shown);
    }
    // Below half, the amounts alone.
    expect(page).not.toContain('class="usage-list"');
    const { browser: large } = await signedIn(service, "business");
    expect(await pageAt(large, `${path}/plan`)).toContain("Unlimited");
  });

  it("lead to what happens to printed codes, where the plan and the deletion are", async () => {
    for (const each of [`${path}/plan`, path]) {
      const [, address = ""] = /href="([^"]*promise\.md)"/.exec(await pageAt(browser, each)) ?? [];
      const answer = await service.fetch(address);
      expect([each, answer.status, await answer.text()]).toEqual([
        each,
        200,
        expect.stringMatching(/^# .*[Pp]romise/),
      ]);
    }
  });
});
