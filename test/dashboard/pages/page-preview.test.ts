import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Browser } from "../../support/browser.ts";
import { fieldsOf, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { makePage, wholePage } from "../../support/hosted-pages.ts";
import { origin, Service } from "../../support/service.ts";

const service = new Service();
const path = "/dashboard/pages";
const markup = `<img src=x onerror=alert(1)>"'&`;
let me: SignedInBrowser;
let browser: Browser;

beforeEach(async () => {
  me = await signedIn(service);
  ({ browser } = me);
});

describe("the preview", () => {
  it("is the page as visitors see it, does nothing, and may be framed by the editor alone", async () => {
    const session = await service.sessionIn(me.client.workspaceId);
    const { id } = await makePage({ client: me.client, session }, wholePage);
    const editor = await browser.open(`${path}/${id}/edit`);
    expect(editor.headers.get("content-security-policy")).toContain("frame-src 'self'; ");
    const others = await browser.open(`${path}/${id}`);
    expect(others.headers.get("content-security-policy")).not.toContain("frame-src");
    const answer = await browser.submit(`${path}/preview`, fieldsOf(await editor.text()));
    const policy = answer.headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(
      "form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-same-origin",
    );
    expect(policy).not.toContain("frame-ancestors 'none'");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const preview = await answer.text();
    const shown = await (await service.fetch(`/pages/${id}`)).text();
    // The same but for what belongs to the stored page (addresses, the form's token, its link preview), where links open,
    // and the names of the editor's parts with their rules.
    const plain = (html: string) =>
      html
        .replace('<base target="_blank">', "")
        .replace(/\n\.unfinished.*?(?=<\/style>)/s, "")
        .replace(/ data-part="[^"]*"/g, "")
        .replace(/<meta property="og:image".*<meta name="twitter:card"[^>]*>/, "")
        .replace(/src="[^"]*"/g, "src")
        .replace(/value="[^"]*"/, "")
        .replaceAll(id, "preview");
    expect(plain(preview)).toBe(plain(shown));
    const parts = Array.from(preview.matchAll(/data-part="([^"]*)"/g), ([, part]) => part);
    expect([...new Set(parts)]).toEqual([
      ...["header", "texts", "blocks.0", "blocks.1", "blocks.2", "form"],
      ...wholePage.form.fields.map((_, i) => `form.fields.${i}`),
    ]);
    expect(shown).not.toContain("data-part");
    expect(preview).toContain(
      `src="/dashboard/pages/preview-image?url=${encodeURIComponent("https://example.com/fair.jpg")}"`,
    );
  });

  it("asks for a plan with pages, without which a page can still be edited", async () => {
    const session = await service.sessionIn(me.client.workspaceId);
    const { id } = await makePage({ client: me.client, session }, wholePage);
    await env.DB.prepare("UPDATE workspaces SET plan = 'free' WHERE id = ?")
      .bind(me.client.workspaceId)
      .run();
    expect((await browser.submit(`${path}/preview`, { title: "Fair" })).status).toBe(402);
    const image = await browser.open(
      `${path}/preview-image?url=${encodeURIComponent("https://example.com/a.png")}`,
    );
    expect(image.status).toBe(402);
    const editor = await (await browser.open(`${path}/${id}/edit`)).text();
    expect(editor).toContain("Your plan doesn&#39;t include previews of hosted pages.");
    expect(editor).not.toContain("<iframe");
    expect((await browser.submit(`${path}/${id}/edit`, fieldsOf(editor))).status).toBe(303);
  });

  it("outlines what is not complete, under the numbers of the form", async () => {
    const answer = await browser.submit(`${path}/preview`, {
      title: "",
      "blocks.0.type": "link",
      "blocks.0.label": "Bad",
      "blocks.0.url": "javascript:alert(1)",
      "blocks.1.type": "text",
      "blocks.1.text": markup,
      "blocks.2.type": "image",
      "blocks.2.url": "",
      "form.fields.0.type": "choice",
      "form.fields.0.label": "No options",
      "form.fields.1.type": "email",
      "form.fields.1.label": "Email",
      "header.url": "https://10.0.0.1/x.png",
      language: "",
      otherLanguage: "!",
    });
    expect(answer.status).toBe(200);
    const page = await answer.text();
    expect(page).toContain('<h1 data-part="texts">Untitled page</h1>');
    expect(page).toContain('<p class="unfinished" data-part="blocks.0">Link</p>');
    expect(page).toContain('<p class="unfinished" data-part="blocks.2">Image</p>');
    expect(page).toContain('data-part="form.fields.1"');
    expect(page).toContain("&lt;img src=x");
    expect(page).toContain("Email");
    for (const absent of ["javascript:", "No options", "<img"]) expect(page).not.toContain(absent);
    expect((await browser.submit(`${path}/preview`, {})).status).toBe(200);
  });

  it("fetches images through the service, for members, from addresses that a page can have", async () => {
    const asked: string[] = [];
    const fetching = new Service({
      ...service.deps,
      fetch: async (url) => {
        asked.push(String(url));
        return new Response("image", { headers: { "content-type": "image/png" } });
      },
    });
    const { browser: own } = await signedIn(fetching);
    const image = `${path}/preview-image?url=`;
    const good = await own.open(`${image}${encodeURIComponent("https://example.com/a.png")}`);
    expect([good.status, good.headers.get("content-type"), await good.text()]).toEqual([
      200,
      "image/png",
      "image",
    ]);
    expect(good.headers.get("content-security-policy")).toContain("sandbox");
    for (const bad of ["http://169.254.169.254/", "https://10.0.0.1/", "nonsense", "", `${origin}/a.png`]) {
      expect((await own.open(`${image}${encodeURIComponent(bad)}`)).status).toBe(400);
    }
    const stranger = await fetching.fetch(`${image}${encodeURIComponent("https://example.com/b.png")}`);
    expect(stranger.status).toBe(302);
    expect(asked).toEqual(["https://example.com/a.png"]);
  });
});
