import { beforeEach, describe, expect, it } from "vitest";
import { DeliveryList } from "../../../src/contract/resources/webhooks/webhooks.ts";
import { newId } from "../../../src/lib/text/ids.ts";
import { Browser } from "../../support/browser.ts";
import { fieldsOf, linksOf, pageAt } from "../../support/dashboard.ts";
import { origin } from "../../support/service.ts";
import { answers, WebhookHarness } from "../../support/webhooks.ts";

const day = 24 * 60 * 60_000;

let harness: WebhookHarness;
let browser: Browser;
let id: string;
let path: string;

/** A session ends sooner than a delivery's attempts. */
async function signIn(): Promise<void> {
  const session = await harness.service.sessionIn(harness.client.workspaceId);
  browser = new Browser(harness.service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
}
beforeEach(async () => {
  harness = await new WebhookHarness().createWorkspace();
  ({ id } = await harness.createWebhook());
  path = `/dashboard/developer/webhooks/${id}`;
  await signIn();
});

/** Lets deliveries use up all their attempts. */
async function exhaust(count: number): Promise<void> {
  harness.receiver = answers(500);
  await harness.emitAndDeliver(count);
  await harness.advance(1.5 * day);
  harness.receiver = answers(200);
  await signIn();
}

const textOf = (page: string) => page.replace(/<[^>]+>/g, "").replace(/\s+/g, " ");

describe("a test", () => {
  it("leads to its delivery, which asks for news until the answer is there", async () => {
    harness.receiver = answers(418, `<b>"teapot"</b>`);
    const answer = await browser.submit(`${path}/test`, {});
    const delivery = answer.headers.get("location")?.replace(origin, "") ?? "";
    const before = await pageAt(browser, delivery);
    expect(before).toContain(`hx-get="${delivery}/part"`);
    expect(before).toContain("Waiting for the receiver to respond");
    await harness.runQueue();
    const part = await pageAt(browser, `${delivery}/part`);
    expect(part).not.toContain("<html");
    expect(part).not.toContain("hx-get");
    expect(textOf(part)).toMatch(/HTTP 418 in \d+ ms/);
    expect(part).toContain("&lt;b&gt;&quot;teapot&quot;&lt;/b&gt;");
    const page = await pageAt(browser, delivery);
    expect(page).not.toContain("<b>");
    // The body, as it was sent, and no link to the code that the sample makes up.
    expect(page).toContain("&quot;test&quot;: true");
    expect(page).not.toContain("About");
  });

  it("is marked as one in lists and by the API, and a real delivery is not", async () => {
    await browser.submit(`${path}/test`, {});
    await harness.emitAndDeliver(1);
    const session = await harness.service.sessionIn(harness.client.workspaceId);
    const deliveries = `/developer/webhooks/${id}/deliveries`;
    const { items } = await session.expect(200, DeliveryList, "GET", deliveries);
    expect(items.map(({ test }) => test).sort()).toEqual([false, true]);
    for (const page of [path, `${path}/deliveries`]) {
      expect((await pageAt(browser, page)).match(/<span class="tag">Test<\/span>/g)).toHaveLength(1);
    }
    expect(await pageAt(browser, `${path}/deliveries/${items.find(({ test }) => test)?.id}`)).toContain(
      "<h1>Test of ",
    );
  });
});

describe("the deliveries", () => {
  it("are listed by status, in pages", async () => {
    expect(await pageAt(browser, `${path}/deliveries`)).toContain("No deliveries yet");
    await exhaust(2);
    await harness.emitAndDeliver(60);
    const all = await pageAt(browser, `${path}/deliveries`);
    expect(linksOf(all, "name")).toHaveLength(50);
    const [next = ""] = /href="([^"]*cursor=[^"]*)"/.exec(all)?.slice(1) ?? [];
    expect(linksOf(await pageAt(browser, next.replaceAll("&amp;", "&")), "name")).toHaveLength(12);
    const failed = await pageAt(browser, `${path}/deliveries?status=failed`);
    expect(linksOf(failed, "name")).toHaveLength(2);
    expect(textOf(failed)).toContain("HTTP 500");
    expect(await pageAt(browser, `${path}/deliveries?status=skipped`)).toContain("No results");
    const today = new Date(harness.clock.now()).toISOString().slice(0, 10);
    expect(linksOf(await pageAt(browser, `${path}/deliveries?from=${today}`), "name")).toHaveLength(50);
    const yesterday = new Date(harness.clock.now() - day).toISOString().slice(0, 10);
    const earlier = await pageAt(browser, `${path}/deliveries?status=failed&from=2020-01-01&to=${yesterday}`);
    expect(linksOf(earlier, "name")).toHaveLength(2);
    const reversed = await pageAt(browser, `${path}/deliveries?from=2026-02-02&to=2026-02-01`, 400);
    expect(reversed).toContain("First day can&#39;t be after to");
    expect(await pageAt(browser, `${path}/deliveries?from=soon`, 400)).toContain('value="soon"');
    expect((await browser.open(`${path}/deliveries?cursor=x`)).status).toBe(400);
  });

  it("each have a page with body, attempts, and the code that the event is about", async () => {
    const qr = await harness.client.createQr({ name: `<i>"Menu"</i>` });
    await harness.runQueue();
    const [link = ""] = linksOf(await pageAt(browser, `${path}/deliveries`), "name");
    const page = await pageAt(browser, link);
    expect(page).toContain(`href="/dashboard/codes/${qr.id}"`);
    expect(page).toContain("&lt;i&gt;&quot;Menu&quot;&lt;/i&gt;");
    expect(page).not.toContain("<i>");
    expect(page).toContain(`&quot;hash&quot;: &quot;${qr.hash}&quot;`);
    expect(textOf(page)).toContain("HTTP 200");
    expect(page).not.toContain(`${link}/replay`);
  });

  it("lead to the hosted page whose form was submitted", async () => {
    const { id: other } = await harness.createWebhook({ events: ["page.submitted"] });
    const now = harness.clock.now();
    const pageId = newId(now);
    const submission = { id: newId(now), pageId, fingerprint: "f", sender: "0".repeat(16), fields: {} };
    await harness.ledger.submit(submission, now);
    const list = await pageAt(browser, `/dashboard/developer/webhooks/${other}/deliveries`);
    const [link = ""] = linksOf(list, "name");
    expect(await pageAt(browser, link)).toContain(`href="/dashboard/pages/${pageId}"`);
  });

  it("are replayed one by one once they have failed, unless the webhook is paused", async () => {
    await exhaust(1);
    const [link = ""] = linksOf(await pageAt(browser, `${path}/deliveries?status=failed`), "name");
    const page = await pageAt(browser, link);
    expect(page.match(/HTTP 500 *<\/strong>|<strong>HTTP 500/g)).toHaveLength(8);
    await browser.submit(`${path}/pause`, {});
    expect(await pageAt(browser, link)).toContain("Resume the webhook to resend");
    expect((await browser.submit(`${link}/replay`, {})).status).toBe(400);
    await browser.submit(`${path}/resume`, {});
    const answer = await browser.submit(`${link}/replay`, {});
    expect(answer.headers.get("location")).toBe(origin + link);
    await harness.runQueue();
    expect(textOf(await pageAt(browser, link))).toContain("Succeeded");
  });

  it("are those of the webhook alone", async () => {
    await exhaust(1);
    const [link = ""] = linksOf(await pageAt(browser, `${path}/deliveries`), "name");
    const other = await harness.createWebhook();
    const elsewhere = link.replace(id, other.id);
    expect((await browser.open(elsewhere)).status).toBe(404);
    expect((await browser.open(`${elsewhere}/part`)).status).toBe(404);
    expect((await browser.submit(`${elsewhere}/replay`, {})).status).toBe(404);
  });
});

describe("all that failed", () => {
  it("are seen on the webhook's page and the overview, until they were resent", async () => {
    expect(await pageAt(browser, path)).not.toContain("Failed deliveries</h2>");
    await exhaust(2);
    // A success ends the row of failures, and hides none of them.
    await harness.emitEvents(1);
    await harness.runQueue();
    const page = await pageAt(browser, path);
    const failed = page.slice(page.indexOf("Failed deliveries</h2>"), page.indexOf("Recent deliveries"));
    const links = linksOf(failed, "name");
    expect(links).toHaveLength(2);
    const overview = await pageAt(browser, "/dashboard/developer");
    expect(overview).toContain(`href="${links[0]}">qr.created failed</a>`);
    const replay = await pageAt(browser, `${path}/replay`);
    expect(textOf(replay)).toContain("2 failed deliveries since");
    await browser.submit(`${path}/replay`, fieldsOf(replay));
    await harness.runQueue();
    await harness.advance(0);
    expect(await pageAt(browser, path)).not.toContain("Failed deliveries</h2>");
    expect(await pageAt(browser, "/dashboard/developer")).not.toContain(" failed</a>");
  });

  it("are counted before, replayed, and followed", async () => {
    await exhaust(3);
    const empty = await pageAt(browser, `${path}/replay?since=2090-01-01T00:00`);
    expect(textOf(empty)).toContain("No failed deliveries since 1 Jan 2090");
    const page = await pageAt(browser, `${path}/replay?since=2020-01-01T00:00`);
    expect(textOf(page)).toContain("3 failed deliveries since 1 Jan 2020, 00:00 (UTC)");
    harness.received.length = 0;
    const answer = await browser.submit(`${path}/replay`, fieldsOf(page));
    expect(answer.headers.get("location")).toBe(`${origin}${path}/replay`);
    const running = await pageAt(browser, `${path}/replay`);
    expect(running).toContain(`hx-get="${path}/replay/progress"`);
    expect(textOf(running)).toContain("0 of 3 sent");
    expect(await pageAt(browser, path)).toContain("Replay running");
    await harness.runQueue();
    await harness.advance(0);
    expect(harness.received).toHaveLength(3);
    const done = await pageAt(browser, `${path}/replay/progress`);
    expect(textOf(done)).toContain("3 of 3 sent: 3 succeeded, 0 failed");
    expect(done).not.toContain("hx-get");
  });

  it("are counted since a chosen time, with the skipped ones if asked to", async () => {
    await browser.submit(`${path}/pause`, {});
    await harness.emitEvents(2);
    expect(await pageAt(browser, `${path}/replay`)).toContain("This webhook is paused. Resume it");
    await browser.submit(`${path}/resume`, {});
    expect(textOf(await pageAt(browser, `${path}/replay`))).toContain("No failed deliveries since");
    const page = await pageAt(browser, `${path}/replay?since=2020-01-01T00:00&includeSkipped=on`);
    expect(textOf(page)).toContain("2 failed or skipped deliveries since");
    await browser.submit(`${path}/replay`, fieldsOf(page));
    await harness.runQueue();
    expect(await harness.deliveries(id, "succeeded")).toHaveLength(2);
  });

  it("are not replayed twice at a time; the replay is stopped by hand", async () => {
    await exhaust(3);
    const page = await pageAt(browser, `${path}/replay?since=2020-01-01T00:00`);
    await browser.submit(`${path}/replay`, fieldsOf(page));
    const second = await browser.submit(`${path}/replay`, fieldsOf(page));
    expect(second.status).toBe(400);
    expect(await second.text()).toContain("A replay of this webhook is already running");
    await browser.submit(`${path}/replay/stop`, {});
    expect(await pageAt(browser, `${path}/replay`)).toContain("Stopped manually");
  });

  it("need a time that is one", async () => {
    const page = await pageAt(browser, `${path}/replay?since=yesterday`, 400);
    expect(page).toContain("Since must be a date and time");
    expect((await browser.submit(`${path}/replay`, { since: "yesterday" })).status).toBe(400);
  });
});
