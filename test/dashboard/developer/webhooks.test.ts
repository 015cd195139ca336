import { beforeEach, describe, expect, it } from "vitest";
import { Page } from "../../../src/contract/resources/pages.ts";
import { Webhook, WebhookList } from "../../../src/contract/resources/webhooks/webhooks.ts";
import { Browser } from "../../support/browser.ts";
import { fieldsOf, pageAt, signedIn } from "../../support/dashboard.ts";
import { origin, type SessionClient } from "../../support/service.ts";
import { answers, verify, WebhookHarness } from "../../support/webhooks.ts";

const path = "/dashboard/developer/webhooks";
const markup = `<img src=x onerror=alert(1)>"'&`;
const day = 24 * 60 * 60_000;
const secretPattern = /whsec_[0-9A-Za-z]{32}/;

let harness: WebhookHarness;
let browser: Browser;
let session: SessionClient;

async function signIn(): Promise<void> {
  session = await harness.service.sessionIn(harness.client.workspaceId);
  browser = new Browser(harness.service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
}
beforeEach(async () => {
  harness = await new WebhookHarness().createWorkspace();
  await signIn();
});

const webhooks = async () => (await session.expect(200, WebhookList, "GET", "/developer/webhooks")).webhooks;
const webhook = ({ id }: { id: string }) => session.expect(200, Webhook, "GET", `/developer/webhooks/${id}`);

/** Submits a form with several values of a name. */
const submit = (page: string, fields: [string, string][]) =>
  browser.send("POST", page, { origin }, new URLSearchParams(fields));

async function create(fields: Record<string, string>, status = 200): Promise<string> {
  const form = fieldsOf(await pageAt(browser, `${path}/new`));
  const answer = await browser.submit(`${path}/new`, {
    ...form,
    url: "https://hooks.example/qr",
    events: "qr.created",
    ...fields,
  });
  expect(answer.status).toBe(status);
  return answer.text();
}

describe("a new webhook", () => {
  it("shows its secret on the answer alone, and signs with it", async () => {
    const page = await create({});
    const [secret = ""] = secretPattern.exec(page) ?? [];
    expect(secret).not.toBe("");
    expect(browser.setCookies.join()).not.toContain(secret);
    const [created] = await webhooks();
    expect(created).toMatchObject({
      url: "https://hooks.example/qr",
      events: ["qr.created"],
      mode: "realtime",
    });
    expect(await pageAt(browser, `${path}/${created?.id}`)).not.toMatch(secretPattern);
    await harness.emitAndDeliver();
    const [received] = harness.received;
    if (received === undefined) throw new Error("nothing was received");
    await verify(received, secret);
  });

  it("is created once by a form that is submitted twice", async () => {
    const form = {
      ...fieldsOf(await pageAt(browser, `${path}/new`)),
      url: "https://hooks.example/",
      events: "qr.created",
    };
    expect((await browser.submit(`${path}/new`, form)).status).toBe(200);
    const again = await browser.submit(`${path}/new`, form);
    expect(again.status).toBe(409);
    expect(await again.text()).not.toMatch(secretPattern);
    expect(await webhooks()).toHaveLength(1);
  });

  it("is limited to a code, by the address of its page, or to a page", async () => {
    const qr = await harness.client.createQr({});
    await create({ scopeQrId: `${origin}/dashboard/codes/${qr.id}?range=7d` });
    const hosted = await session.expect(201, Page, "POST", "/developer/pages", { title: markup, blocks: [] });
    expect(await pageAt(browser, `${path}/new`)).not.toContain("<img src=x");
    // The list is ordered by time.
    harness.clock.advance(1);
    await create({ scopePageId: hosted.id });
    expect(await webhooks()).toMatchObject([
      { scopeQrId: qr.id, scopePageId: null },
      { scopeQrId: null, scopePageId: hosted.id },
    ]);
    const [ofCode, ofPage] = await webhooks();
    expect(await pageAt(browser, `${path}/${ofCode?.id}`)).toContain(`href="/dashboard/codes/${qr.id}"`);
    expect(await pageAt(browser, `${path}/${ofPage?.id}`)).toContain(`href="/dashboard/pages/${hosted.id}"`);
  });

  it.each([
    [{ url: "" }, "URL "],
    [{ url: "ftp://x.example" }, "URL "],
    [{ events: "" }, "Events "],
    [{ scopeQrId: crypto.randomUUID() }, "Code isn&#39;t a QR code of this workspace"],
    [{ scopeQrId: "poster" }, "Code isn&#39;t a QR code of this workspace"],
  ])("says what is wrong with %j, and keeps it", async (fields, problem) => {
    const page = await create(fields as Record<string, string>, 400);
    expect(page).toMatch(/class="problem"/);
    expect(page).toContain(problem);
    const [name = "", value = ""] = Object.entries(fields)[0] ?? [];
    if (name !== "events") expect(fieldsOf(page)[name]).toBe(value);
    expect(await webhooks()).toEqual([]);
  });

  it("is refused where the plan allows no more, which is said before", async () => {
    const free = await signedIn(harness.service, "free");
    const form = { url: "https://hooks.example/", events: "qr.created", mode: "realtime" };
    expect((await free.browser.submit(`${path}/new`, form)).status).toBe(200);
    expect(await pageAt(free.browser, path)).toContain("Your Free plan allows 1 webhook.");
    expect(await pageAt(free.browser, `${path}/new`)).toContain("Your Free plan allows 1 webhook.");
    expect((await free.browser.submit(`${path}/new`, form)).status).toBe(402);
  });
});

describe("headers of a webhook's own", () => {
  const header = (name: string) => harness.received.at(-1)?.headers.get(name);

  it("are entered one a line, shown by name, and keep their values by a name alone", async () => {
    await create({ headers: "Authorization: Bearer a:b\r\n\r\n x-tenant : harbour\r\n" });
    await harness.emitAndDeliver();
    expect([header("authorization"), header("x-tenant")]).toEqual(["Bearer a:b", "harbour"]);
    const [created] = await webhooks();
    const shown = await pageAt(browser, `${path}/${created?.id}`);
    expect(shown).toContain("<code>authorization, x-tenant</code>");
    const edit = await pageAt(browser, `${path}/${created?.id}/edit`);
    expect(edit + shown).not.toMatch(/Bearer a|harbour/);
    // A draft would keep the values in the browser.
    expect(edit).toContain('data-draft="ask"');
    const fields = fieldsOf(edit);
    expect(fields.headers).toBe("authorization\nx-tenant");
    const saved = { ...fields, events: "qr.created", headers: "authorization\r\nx-new: 1" };
    expect((await browser.submit(`${path}/${created?.id}/edit`, saved)).status).toBe(303);
    await harness.emitAndDeliver();
    expect([header("authorization"), header("x-tenant"), header("x-new")]).toEqual(["Bearer a:b", null, "1"]);
  });

  it("that are refused are named beside the field", async () => {
    expect(await create({ headers: "Host: x" }, 400)).toContain("Headers can&#39;t set host");
    expect(await create({ headers: "x-a" }, 400)).toContain("Headers must have a value for x-a");
  });
});

describe("a webhook's page", () => {
  it("changes its settings", async () => {
    const created = await harness.createWebhook();
    const page = `${path}/${created.id}`;
    const form = await pageAt(browser, `${page}/edit`);
    expect(fieldsOf(form).url).toBe(created.url);
    const answer = await submit(`${page}/edit`, [
      ["url", "https://other.example/"],
      ["events", "qr.scanned"],
      ["events", "page.submitted"],
      ["mode", "batched_5m"],
    ]);
    expect(answer.headers.get("location")).toBe(origin + page);
    expect(await webhook(created)).toMatchObject({
      url: "https://other.example/",
      events: ["qr.scanned", "page.submitted"],
      mode: "batched_5m",
    });
    const wrong = await submit(`${page}/edit`, [["url", "https://other.example:9999/"]]);
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain('value="https://other.example:9999/"');
  });

  it("pauses and resumes it, and says why the service has paused it", async () => {
    const created = await harness.createWebhook();
    const page = `${path}/${created.id}`;
    await browser.submit(`${page}/pause`, {});
    expect((await webhook(created)).status).toBe("paused");
    expect(await pageAt(browser, page)).toContain("Paused manually");
    await browser.submit(`${page}/resume`, {});
    expect((await webhook(created)).status).toBe("active");
    harness.receiver = answers(410);
    await harness.emitAndDeliver();
    expect(await pageAt(browser, page)).toContain("The receiver answered 410 Gone");
    expect(await pageAt(browser, "/dashboard/settings")).toContain(`href="${page}"`);
    expect(await pageAt(browser, "/dashboard/developer")).toContain("Webhooks that need your attention");
  });

  it("replaces its secret once for a form that is submitted twice; the one before signs for a day", async () => {
    const created = await harness.createWebhook();
    const page = `${path}/${created.id}/rotate`;
    const form = fieldsOf(await pageAt(browser, page));
    const shown = await (await browser.submit(page, form)).text();
    const [secret = ""] = secretPattern.exec(shown) ?? [];
    const again = await browser.submit(page, form);
    expect(again.status).toBe(409);
    expect(await again.text()).not.toMatch(secretPattern);
    await harness.emitAndDeliver();
    const [received] = harness.received;
    if (received === undefined) throw new Error("nothing was received");
    await verify(received, secret);
    await verify(received, created.secret);
    await harness.advance(day + 1);
    await harness.emitAndDeliver();
    const late = harness.received.at(-1);
    if (late === undefined) throw new Error("nothing was received");
    await verify(late, secret);
    await expect(verify(late, created.secret)).rejects.toThrow();
  });

  it("deletes it after it was asked", async () => {
    const created = await harness.createWebhook();
    expect(await pageAt(browser, `${path}/${created.id}/delete`)).toContain(
      `${created.url} receives no more events`,
    );
    await browser.submit(`${path}/${created.id}/delete`, {});
    expect(await webhooks()).toEqual([]);
    expect(await pageAt(browser, path)).toContain("Webhook deleted");
  });

  it("is the same as none for another workspace", async () => {
    const { id } = await harness.createWebhook();
    const other = await signedIn(harness.service);
    for (const page of ["", "/edit", "/rotate", "/delete", "/deliveries", "/replay"]) {
      expect([page, (await other.browser.open(`${path}/${id}${page}`)).status]).toEqual([page, 404]);
    }
    for (const page of [
      "/edit",
      "/rotate",
      "/delete",
      "/pause",
      "/resume",
      "/test",
      "/replay",
      "/replay/stop",
    ]) {
      const fields = { url: "https://x.example/", events: "qr.created", since: "2026-01-01T00:00:00Z" };
      expect([page, (await other.browser.submit(`${path}/${id}${page}`, fields)).status]).toEqual([
        page,
        404,
      ]);
    }
    expect(await webhooks()).toHaveLength(1);
  });
});
