import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Browser } from "../../support/browser.ts";
import { BulkHarness, item } from "../../support/bulk.ts";
import { pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";

const harness = new BulkHarness();
let me: SignedInBrowser;
let browser: Browser;

beforeEach(async () => {
  me = await signedIn(harness.service);
  ({ browser } = me);
});

/** The text of the elements of a list with this class. */
const textsOf = (page: string, list: string): string[] => {
  const [, items = ""] = new RegExp(`<ul class="plain ${list}">(.*?)</ul>`, "s").exec(page) ?? [];
  return [...items.matchAll(/<li>(.*?)<\/li>/gs)].map(([, text = ""]) =>
    text
      .replace(/<[^>]+>/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
  );
};

describe("the overview", () => {
  it("lists the codes that changed last, with when they did", async () => {
    const names = ["A", "B", "C", "D", "E", "<b>F</b>"];
    const codes = [];
    for (const name of names) {
      codes.push(await me.client.createQr({ name }));
      harness.clock.advance(60_000);
    }
    await me.client.send("PATCH", `/qr/${codes[0]?.id}`, { tags: ["summer"] });
    await me.client.send("DELETE", `/qr/${codes[4]?.id}`);
    const changes = textsOf(await pageAt(browser, "/dashboard"), "changes");
    expect(changes.map((text) => text.split(" ")[0])).toEqual(["A", "&lt;b&gt;F&lt;/b&gt;", "D", "C", "B"]);
    expect(changes.map((text) => / (Created|Updated) \d/.exec(text)?.[1])).toEqual([
      "Updated",
      ...Array.from({ length: 4 }, () => "Created"),
    ]);
  });

  it("shows the running jobs, until they are completed", async () => {
    const job = await harness.json(
      me.client,
      Array.from({ length: 3 }, (_, i) => item(i)),
    );
    await harness.accepted(job);
    expect(textsOf(await pageAt(browser, "/dashboard"), "jobs")).toEqual(["Create 3 codes 0 of 3"]);
    expect(textsOf(await pageAt(browser, "/dashboard/jobs/under-way"), "jobs")).toEqual([
      "Create 3 codes 0 of 3",
    ]);
    const other = await signedIn(harness.service);
    expect(await pageAt(other.browser, "/dashboard/jobs/under-way")).not.toContain("Create 3 codes");
    await harness.drain();
    const part = await pageAt(browser, "/dashboard/jobs/under-way");
    expect(part).toBe('<div id="jobs"></div>');
    const update = harness.update(me.client, { filter: {}, change: { addTags: ["a"] } });
    const { jobId } = await harness.accepted(await update);
    await env.DB.prepare("UPDATE bulk_jobs SET slices = '[0,2]' WHERE id = ?").bind(jobId).run();
    await harness.deliver(harness.queued.splice(0, 1));
    const [text] = textsOf(await pageAt(browser, "/dashboard"), "jobs");
    expect(text).toBe("Add tag a to 3 codes 2 of 3");
    await harness.drain();
    expect(textsOf(await pageAt(browser, "/dashboard"), "jobs")).toEqual([]);
  });
});
