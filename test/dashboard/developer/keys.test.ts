import { env } from "cloudflare:workers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import type { Plan } from "../../../src/contract/plans.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { defaultScopes, Scope } from "../../../src/contract/resources/enums.ts";
import { ApiKeyList } from "../../../src/contract/resources/identity/keys.ts";
import { CreatedWebhook, Webhook } from "../../../src/contract/resources/webhooks/webhooks.ts";
import type { Browser } from "../../support/browser.ts";
import { fieldsOf, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { FakeClock, origin, Service, type SessionClient } from "../../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
const path = "/dashboard/developer/keys";
const markup = `<img src=x onerror=alert(1)>"'&`;
let me: SignedInBrowser;
let browser: Browser;
let session: SessionClient;
/** The fields of the form of a new key. */
let newForm: Record<string, string>;

async function signInOn(plan: Plan): Promise<void> {
  me = await signedIn(service, plan);
  ({ browser } = me);
  session = await service.sessionIn(me.client.workspaceId);
  newForm = fieldsOf(await pageAt(browser, `${path}/new`));
}
beforeAll(() => signInOn("pro"));
beforeEach(async () => {
  const others = env.DB.prepare("DELETE FROM api_keys WHERE workspace_id = ? AND name <> 'test'");
  await others.bind(me.client.workspaceId).run();
});

/** The workspace's keys but for the one of the tests' own client. */
const keys = async () =>
  (await session.expect(200, ApiKeyList, "GET", "/developer/keys")).keys.filter(
    ({ name }) => name !== "test",
  );

const secretKey = /sk_live_[0-9A-Za-z]{32}/;

/** Submits the form of a new key. @returns the answer's page */
async function create(fields: Record<string, string>, status = 200): Promise<string> {
  const { scopes, ...form } = newForm;
  expect(scopes).toBeDefined();
  const entries = [
    ...Object.entries({ ...form, key: crypto.randomUUID(), ...fields }),
    ...defaultScopes.map((scope) => ["scopes", scope]),
  ];
  const answer = await browser.send("POST", `${path}/new`, { origin }, new URLSearchParams(entries));
  expect(answer.status).toBe(status);
  return answer.text();
}

const unescaped = (text: string) =>
  text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&");

/** The samples of a page. */
const samplesIn = (page: string) =>
  [...page.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, text = ""]) =>
    unescaped(text.replace(/<[^>]*>/g, "")),
  );

it("shows what works with a key whose changes a person confirms, and with one that can't change codes", async () => {
  const confirmed = samplesIn(await create({ name: "Agent", type: "secret", personConfirms: "on" }));
  const shown = confirmed.join("\n");
  expect(shown).not.toMatch(/client\.qr\.create|qr codes create|POST/);
  const curl = confirmed.find((sample) => sample.startsWith("curl")) ?? "";
  const [, address = ""] = /^curl (\S+)/.exec(curl) ?? [];
  const headers = [...curl.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(
    ([, name = "", value = ""]) => [name, value] as const,
  );
  const [, sent] = /-d '(.*)'$/s.exec(curl) ?? [];
  const answer = await service.fetch(new URL(address).pathname, {
    method: "POST",
    headers: headers.map((header): [string, string] => [...header]),
    body: sent ?? null,
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("/dashboard/changes/")]);

  const form = { ...newForm, key: crypto.randomUUID(), name: "Reader", type: "secret", scopes: "scans:read" };
  const reading = samplesIn(await (await browser.submit(`${path}/new`, form)).text());
  expect(reading.join("\n")).not.toMatch(/qr\.create|codes create|\/qr\b/);
  const [, key = ""] = /Bearer (sk_live_\w+)/.exec(reading.join("\n")) ?? [];
  const me = await service.fetch("/api/v1/me", { headers: { authorization: `Bearer ${key}` } });
  expect(me.status).toBe(200);
});

it("sets up the client, the command line and an agent with its address and the new key", async () => {
  const overview = unescaped(await pageAt(browser, "/dashboard/developer"));
  const page = unescaped(await create({ name: "Agent", type: "secret", personConfirms: "on" }));
  const key = secretKey.exec(page)?.[0] ?? "";
  for (const [shown, text] of [
    [overview, "sk_live_YOUR_KEY"],
    [page, key],
  ] as const) {
    expect(shown).toContain(`new QrCodes({ baseUrl: "${origin}", key: "${text}" })`);
    expect(shown).toContain(`export QR_URL=${origin} QR_KEY=${text}`);
    expect(shown).toContain(`"url": "${origin}/mcp"`);
  }
  expect(page).toContain("Each one needs approval");
  expect(await keys()).toMatchObject([{ name: "Agent", personConfirms: true }]);
  expect(await pageAt(browser, path)).toContain("Changes need approval");
});

describe("a new key", () => {
  it("is shown on the answer alone, with programs that have it, and creates codes", async () => {
    const page = await create({ name: "Shop", type: "secret" });
    const [key = ""] = secretKey.exec(page) ?? [];
    expect(key).not.toBe("");
    expect(browser.setCookies.join()).not.toContain(key);
    const samples = [...page.matchAll(/<code>(.*?)<\/code>/gs)].map(([, text = ""]) => unescaped(text));
    const programs = samples.filter((text) => text.includes(key) && text.includes("/api/v1"));
    expect(programs).toHaveLength(4);
    for (const program of programs) {
      expect(program).toContain(`${origin}/api/v1/qr`);
      expect(program).toMatch(/user-agent"?: "?my-app\/1\.0"/i);
    }
    const answer = await service.fetch("/api/v1/qr", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ qrType: "url", data: { type: "url", url: "https://example.com/" } }),
    });
    expect(Qr.parse(await answer.json()).data).toEqual({ type: "url", url: "https://example.com/" });
    const list = await pageAt(browser, path);
    expect(list).toContain("Shop");
    expect(list).toContain(`sk_live_…${key.slice(-4)}`);
    expect(list).not.toContain(key);
    expect(list).toContain("sk_live_YOUR_KEY");
  });

  it("is created once by a form that is submitted twice, and not shown again", async () => {
    const form = { ...fieldsOf(await pageAt(browser, `${path}/new`)), name: "Once", type: "secret" };
    const first = await (await browser.submit(`${path}/new`, form)).text();
    expect(first).toMatch(secretKey);
    const again = await browser.submit(`${path}/new`, form);
    expect(again.status).toBe(409);
    const page = await again.text();
    expect(page).toContain("This form was already submitted");
    expect(page).not.toMatch(secretKey);
    expect((await keys()).map(({ name }) => name)).toEqual(["Once"]);
    await create({ name: "Twice", type: "secret" });
    expect(await keys()).toHaveLength(2);
  });

  it("may get any scope; its form preselects three", async () => {
    const form = await pageAt(browser, `${path}/new`);
    const boxes = [...form.matchAll(/<input type="checkbox" name="scopes" value="([^"]+)"( checked)?/g)];
    expect(boxes.map(([, scope]) => scope)).toEqual(Scope.options);
    expect(boxes.filter(([, , checked]) => checked).map(([, scope]) => scope)).toEqual(defaultScopes);
  });

  it("gets the chosen scopes", async () => {
    const form = new URLSearchParams([
      ["name", "Reader"],
      ["type", "secret"],
      ["scopes", "qr:read"],
      ["scopes", "scans:read"],
    ]);
    await browser.send("POST", `${path}/new`, { origin }, form);
    expect(await keys()).toMatchObject([{ name: "Reader", scopes: ["qr:read", "scans:read"] }]);
    expect(await pageAt(browser, path)).toContain("Read codes, Read scans");
  });

  it("that is publishable has origins, and JavaScript for them", async () => {
    const page = await create({
      name: "Form",
      type: "publishable",
      origins: "https://shop.example\r\n\r\nhttps://www.shop.example\n",
    });
    expect(page).toMatch(/pk_live_[0-9A-Za-z]{32}/);
    expect(page).toContain("The JavaScript runs on pages of the key&#39;s origins");
    expect(page).not.toContain("urllib");
    // Browsers name themselves, and ask the service about any other name first.
    expect(page).not.toContain("my-app");
    expect(unescaped(page)).toContain('-H "Origin: https://shop.example"');
    const [key] = await keys();
    expect(key).toMatchObject({
      type: "publishable",
      origins: ["https://shop.example", "https://www.shop.example"],
    });
    expect(await pageAt(browser, path)).toContain(`0 of 1,000 codes today`);
  });

  it.each([
    [{ name: "" }, "Enter a name."],
    [{ name: "x".repeat(limits.keyName + 1) }, `Name can have at most ${limits.keyName} characters`],
    [{ name: "K", type: "publishable", origins: "" }, "must have 1 to 20 entries for a publishable key"],
    [
      { name: "K", type: "publishable", origins: "shop.example" },
      "must be a web origin such as https://shop.example",
    ],
  ])("says what is wrong with %j, and keeps it", async (fields, problem) => {
    const page = await create(fields as Record<string, string>, 400);
    expect(page).toContain(problem);
    expect(page).toContain('class="problem"');
    expect(fieldsOf(page)).toMatchObject(fields);
    expect(await keys()).toEqual([]);
    // The form that was refused has not used up its key.
    const answer = await browser.submit(`${path}/new`, { ...fieldsOf(page), name: "Mended", type: "secret" });
    expect(await answer.text()).toMatch(secretKey);
  });
});

describe("the list of keys", () => {
  it("leads on to the first one", async () => {
    const page = await pageAt((await signedIn(service)).browser, path);
    expect(page).toContain(`href="${path}/new"`);
  });

  it("shows names as text, and when each was used", async () => {
    await create({ name: markup, type: "secret" });
    expect(await pageAt(browser, path)).not.toContain("<img src=x");
    expect(await pageAt(browser, path)).toContain("Never");
    const [key = ""] = secretKey.exec(await create({ name: "Used", type: "secret" })) ?? [];
    await service.fetch("/api/v1/qr", { headers: { authorization: `Bearer ${key}` } });
    clock.advance(3 * 60_000);
    expect(await pageAt(browser, path)).toMatch(
      /title="[^"]*\(UTC\)">3 minutes ago <span class="small quiet">[^<]*</,
    );
  });

  describe("of the Free plan", () => {
    beforeAll(() => signInOn("free"));
    afterAll(() => signInOn("pro"));

    it("says from which plan on secret keys work, before and after one is created", async () => {
      const form = await pageAt(browser, `${path}/new`);
      expect(form).toContain("Your Free plan doesn&#39;t include secret keys. You can create one now");
      expect(fieldsOf(form).type).not.toBe("secret");
      const page = await create({ name: "Early", type: "secret" });
      expect(page).toContain("Your Free plan doesn&#39;t include secret keys:");
      expect(await pageAt(browser, path)).toContain(
        "Your Free plan doesn&#39;t include secret keys: their requests are refused",
      );
    });
  });
});

describe("a key is revoked", () => {
  it("after a question that names it and what stops working", async () => {
    const [key = ""] = secretKey.exec(await create({ name: markup, type: "secret" })) ?? [];
    const [created] = await keys();
    const confirmation = await pageAt(browser, `${path}/${created?.id}/revoke`);
    expect(confirmation).toContain("Programs that use it stop working");
    expect(confirmation).toContain("Read codes, Edit codes, Read scans");
    expect(confirmation).not.toContain("<img src=x");
    const use = () => service.fetch("/api/v1/qr", { headers: { authorization: `Bearer ${key}` } });
    expect((await use()).status).toBe(200);
    const answer = await browser.submit(`${path}/${created?.id}/revoke`, {});
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${origin}${path}`]);
    expect((await use()).status).toBe(401);
    expect(await pageAt(browser, path)).toContain("Key revoked");
    expect((await browser.open(`${path}/${created?.id}/revoke`)).status).toBe(404);
  });

  it("with the webhooks that it created, if one leaves the box checked", async () => {
    const scopes = ["webhooks:write", "qr:read"] as const;
    const hooks = "/developer/webhooks";
    const made = async () => {
      const client = await service.client(me.client.workspaceId, [...scopes]);
      const body = { url: `https://${client.keyId}.example.com/`, events: ["qr.created"] };
      return { client, webhook: await client.expect(201, CreatedWebhook, "POST", hooks, body) };
    };
    const revoke = async ({ client, webhook }: Awaited<ReturnType<typeof made>>, isChecked: boolean) => {
      const confirmation = await pageAt(browser, `${path}/${client.keyId}/revoke`);
      expect(confirmation).toContain(webhook.url);
      expect(confirmation).toContain("Pause this webhook");
      expect(await pageAt(browser, `/dashboard/developer/webhooks/${webhook.id}`)).toContain("API key: test");
      const { pauseWebhooks = "" } = fieldsOf(confirmation);
      const fields = isChecked ? { pauseWebhooks } : {};
      expect((await browser.submit(`${path}/${client.keyId}/revoke`, fields)).status).toBe(303);
      return (await session.expect(200, Webhook, "GET", `${hooks}/${webhook.id}`)).status;
    };
    expect(await revoke(await made(), true)).toBe("paused");
    expect(await revoke(await made(), false)).toBe("active");
    expect(await pageAt(browser, `${path}/${me.client.keyId}/revoke`)).not.toContain("Pause");
  });

  it("names the pages of a publishable one", async () => {
    await create({ name: "Form", type: "publishable", origins: "https://shop.example" });
    const [key] = await keys();
    expect(await pageAt(browser, `${path}/${key?.id}/revoke`)).toContain(
      "https://shop.example can no longer create codes.",
    );
  });

  it("only by its own workspace", async () => {
    await create({ name: "Mine", type: "secret" });
    const [key] = await keys();
    const other = await signedIn(service);
    expect((await other.browser.open(`${path}/${key?.id}/revoke`)).status).toBe(404);
    expect((await other.browser.submit(`${path}/${key?.id}/revoke`, {})).status).toBe(404);
    expect(await keys()).toHaveLength(1);
  });
});

describe("a key's expiry", () => {
  const day = 86_400_000;

  it("is chosen in the form, shown in the list, and announced a week before on every page", async () => {
    const page = await create({ name: "Shop", type: "secret", expiresAt: "30" });
    expect(page).toMatch(/<dt[^>]*>Expires<\/dt>/);
    const [created] = await keys();
    expect(created?.expiresAt).toBe(new Date(clock.now() + 30 * day).toISOString());
    const settings = () => pageAt(browser, "/dashboard/settings");
    clock.advance(23 * day - 1000);
    await signInAgain();
    expect(await pageAt(browser, path)).toContain("In 8 days");
    expect(await settings()).not.toContain("expires in");
    clock.advance(1000);
    await signInAgain();
    expect(await settings()).toContain("The API key “Shop” expires in 7 days.");
    expect(await settings()).toContain(`href="${path}/${created?.id}/rotate"`);
    clock.advance(7 * day);
    await signInAgain();
    expect(await pageAt(browser, path)).toContain("Expired ");
    expect(await settings()).not.toContain("expires in");
  });

  /** Sessions end after twelve hours. */
  async function signInAgain() {
    session = await service.sessionIn(me.client.workspaceId);
    browser.cookies.set("session", session.cookie.replace("session=", ""));
  }

  it("that can't be read keeps the form as it was", async () => {
    const page = await create({ name: "Kept name", type: "secret", expiresAt: "soon" }, 400);
    expect(page).toContain("must be a date and time");
    expect(page).toContain('value="Kept name"');
    expect(await keys()).toEqual([]);
  });
});

describe("rotating a key", () => {
  it("shows the new one once; the old one is marked and can be revoked", async () => {
    const shown = await create({ name: "Shop", type: "secret", expiresAt: "90" });
    const [old] = await keys();
    const form = fieldsOf(await pageAt(browser, `${path}/${old?.id}/rotate`));
    expect(form).toMatchObject({ overlapHours: "24", expiresAt: "90" });
    const page = await (
      await browser.submit(`${path}/${old?.id}/rotate`, { ...form, overlapHours: "72" })
    ).text();
    const [key = ""] = secretKey.exec(page) ?? [];
    expect(key).not.toBe(secretKey.exec(shown)?.[0]);
    expect(page).toContain("The old key works for 3 days more.");
    const list = await pageAt(browser, path);
    expect(list).toContain("Replaced by a new key");
    expect(list).not.toContain(`${path}/${old?.id}/rotate`);
    expect(list).toContain(`${path}/${old?.id}/revoke`);
    const again = await browser.submit(`${path}/${old?.id}/rotate`, { ...form, overlapHours: "72" });
    expect([again.status, secretKey.test(await again.text())]).toEqual([409, false]);
    expect(await keys()).toHaveLength(2);
  });

  it("says who created a key, also after they left", async () => {
    await signInOn("pro");
    await create({ name: "Shop", type: "secret" });
    const [{ createdBy } = { createdBy: null }] = await keys();
    await env.DB.prepare("UPDATE users SET name = ?1 WHERE id = ?2").bind(markup, createdBy?.id).run();
    expect(await pageAt(browser, path)).toContain("by &lt;img src=x");
    browser.cookies.set("session", session.cookie.replace("session=", ""));
    await env.DB.prepare("DELETE FROM members WHERE user_id = ?").bind(createdBy?.id).run();
    expect(await pageAt(browser, path)).toContain(", a former member");
  });
});
