import { beforeAll, describe, expect, it } from "vitest";
import { BulkJob, BulkJobWithItems } from "../../src/contract/resources/codes/bulk.ts";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { PageLook, PageScheme } from "../../src/contract/resources/enums.ts";
import { Page, PageList } from "../../src/contract/resources/pages.ts";
import { ScanListResponse } from "../../src/contract/resources/scans/scans.ts";
import type { ScansMessage } from "../../src/protocol/messages.ts";
import { expectError } from "../support/endpoints.ts";
import {
  makeCodeOfPage,
  makePage,
  openCode,
  type PageMaker,
  pageMaker,
  Shown,
} from "../support/hosted-pages.ts";
import { origin, phone, Service } from "../support/service.ts";

const service = new Service();
let maker: PageMaker;

beforeAll(async () => {
  maker = await pageMaker(service);
});

/** Text that breaks careless templates. */
const hostileText = `"><script>alert(1)</script> & 'Käse' </style> {{x}}; 🍕`;

const everything = {
  title: hostileText,
  intro: `${hostileText}\nsecond line\n\nsecond paragraph`,
  language: "de-CH",
  colors: { background: "#101418", text: "white", accent: "hsl(45, 100%, 50%)" },
  blocks: [
    { type: "text", text: hostileText },
    { type: "link", label: hostileText, url: "example.com/a?b=1&c=2" },
    { type: "image", url: "https://example.com/a.png", alt: hostileText },
    { type: "image", url: "https://example.com/b.png" },
  ],
  form: {
    fields: [{ type: "choice", name: "size", label: hostileText, options: [hostileText, "M"] }],
    button: hostileText,
    thanks: hostileText,
  },
};

describe("a link block", () => {
  it.each([
    ["tel:+4930901820", "tel:+4930901820"],
    ["TEL:+49 30 901820", "tel:+4930901820"],
    ["tel:%2B49-30-901820", "tel:+4930901820"],
    ["tel:0049 (30) 901820", "tel:+4930901820"],
    ["tel:\u202a+49 30 901820\u202c", "tel:+4930901820"],
    ["tel:+1-212-555-0123;ext=99", "tel:+12125550123,99"],
    ["tel:112", "tel:112"],
    ["sms:83339", "sms:83339"],
    ["sms:+4930901820?body=A%20table%0Afor%20two%26me", "sms:+4930901820?body=A%20table%0D%0Afor%20two%26me"],
    ["mailto:ada@example.com", "mailto:ada@example.com"],
    ["ada@example.com", "mailto:ada@example.com"],
    ["MAILTO: ädä@example.com ", "mailto:%C3%A4d%C3%A4@example.com"],
    [
      "mailto:a+b@example.com?Subject=50%25 & more&cc=c@example.com".replace("& m", "%26 m"),
      "mailto:a%2Bb@example.com?subject=50%25%20%26%20more&cc=c%40example.com",
    ],
    ['mailto:a@example.com?body="><script>', "mailto:a@example.com?body=%22%3E%3Cscript%3E"],
  ])("takes %j, stores it as %j, keeps that, and shows it", async (url, stored) => {
    const blocks = [{ type: "link", label: "Write or call", url }];
    const page = await makePage(maker, { blocks });
    expect(page.blocks).toEqual([{ ...blocks[0], url: stored }]);
    expect((await makePage(maker, { blocks: page.blocks })).blocks).toEqual(page.blocks);
    const shown = await Shown.of(await service.fetch(`/pages/${page.id}`));
    const link = shown.all("a").find(({ text }) => text === "Write or call");
    expect(link?.attributes.href).toBe(stored);
  });
});

describe("a hosted page", () => {
  it("is stored as given, with complete URLs and defaults", async () => {
    const page = await makePage(maker, everything);
    expect(page).toMatchObject({
      ...everything,
      blocks: [
        everything.blocks[0],
        { ...everything.blocks[1], url: "https://example.com/a?b=1&c=2" },
        everything.blocks[2],
        { ...everything.blocks[3], alt: "" },
      ],
      form: { ...everything.form, fields: [{ ...everything.form.fields[0], required: false }] },
      url: `${origin}/pages/${page.id}`,
    });
    expect(await maker.session.expect(200, Page, "GET", `/developer/pages/${page.id}`)).toEqual(page);
    expect(await makePage(maker)).toMatchObject({
      intro: null,
      blocks: [],
      form: null,
      colors: null,
      language: "en",
    });
  });

  it("is shown by a scan at the code's own URL, with its text escaped", async () => {
    const { page, qr } = await makeCodeOfPage(maker, everything);
    const response = await service.scan(qr.hash);
    const { headers } = response;
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    // An address, which Cloudflare would replace by a script.
    const text = "Write to ada@harbour.example.";
    const withAddress = await makePage(maker, { blocks: [{ type: "text", text }] });
    const answer = await service.fetch(withAddress.url);
    expect(answer.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const shown = await Shown.of(response);
    expect(shown.status).toBe(200);
    expect(shown.all("html")[0]?.attributes.lang).toBe("de-CH");
    expect(shown.texts("title")).toEqual([hostileText]);
    expect(shown.texts("h1")).toEqual([hostileText]);
    expect(shown.texts("p")).toEqual([`${hostileText}\nsecond line`, "second paragraph", hostileText]);
    expect(shown.all("a").map(({ attributes, text }) => [attributes.href, text])).toEqual([
      ["https://example.com/a?b=1&c=2", hostileText],
      [`/report?hash=${qr.hash}`, "Diese Seite melden"],
    ]);
    expect(shown.all("img").map(({ attributes }) => attributes.alt)).toEqual([hostileText, ""]);
    expect(shown.all("script")).toEqual([]);
    expect(shown.all("input").map(({ attributes }) => attributes.value)).toContain(hostileText);
    expect(shown.texts("button")).toEqual([hostileText]);
    expect(shown.all("form")[0]?.attributes.action).toBe(`/pages/${page.id}`);
    const thanks = await Shown.of(await service.fetch(`/pages/${page.id}/sent`));
    expect(thanks.texts("p")).toEqual([hostileText]);
  });

  it("loads nothing from other hosts: its policy permits its own style and icon, and images and a form of this service", async () => {
    const { qr } = await makeCodeOfPage(maker, everything);
    const response = await service.scan(qr.hash);
    const policy = response.headers.get("content-security-policy") ?? "";
    const shown = await Shown.of(response);
    const style = shown.texts("style")[0] ?? "";
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
    const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
    expect(policy).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    for (const { attributes } of shown.elements) {
      expect(attributes.src ?? "/").toMatch(/^\/(?!\/)/);
      expect(attributes.style).toBeUndefined();
    }
    expect(style).toContain("--paper: #101418");
    // Black has a higher contrast on yellow than white.
    expect(style).toContain("--accent: #ffbf00; --on-accent: #000000");
  });

  it("has an icon of its title and accent, and its title and introduction for previews of its link", async () => {
    const intro = `Saturday, from noon.\n${"Music and cake. ".repeat(20)}`;
    const input = { title: "«Ärger & <Fair»", intro, colors: { accent: "#14532d" } };
    const shown = await Shown.of(await service.fetch((await makePage(maker, input)).url));
    const [icon] = shown.all("link").map(({ attributes }) => attributes.href ?? "");
    expect(icon).toMatch(/^data:image\/svg\+xml,/);
    const svg = decodeURIComponent(icon ?? "");
    expect(svg).toContain("fill='#14532d'");
    expect(svg).toMatch(/fill='#ffffff'>Ä<\/text><\/svg>$/);
    const metas = Object.fromEntries(
      shown.all("meta").map(({ attributes: { property, name, content } }) => [property ?? name, content]),
    );
    expect(metas["og:title"]).toBe(input.title);
    expect(metas["og:description"]).toMatch(
      /^Saturday, from noon\.\n(Music and cake\. )+Music( and)?( cake\.)?$/,
    );
    expect((metas["og:description"] ?? "").length).toBeLessThanOrEqual(160);
  });

  it.each([
    ["🎪 Summer", "🎪"],
    ["夏祭り", "夏"],
    ["…", "…"],
    ["<b>", "b"],
    ["&", "&amp;"],
  ])("has %s for its icon's letter as %s", async (title, letter) => {
    const shown = await Shown.of(await service.fetch((await makePage(maker, { title })).url));
    expect(decodeURIComponent(shown.all("link")[0]?.attributes.href ?? "")).toContain(`>${letter}</text>`);
  });

  it("adds 2.2 to 2.7 KB to its content by its look, and a form 1.5 KB more", async () => {
    const sizeOf = async (input: object) => {
      const page = await makePage(maker, { title: "A", ...input });
      return new TextEncoder().encode(await (await service.fetch(page.url)).text()).length;
    };
    const inKilobytes = (bytes: number) => Math.round(bytes / 100) / 10;
    const plain: number[] = [];
    const ofForm: number[] = [];
    const form = { fields: [{ type: "text", name: "a", label: "A", required: true }] };
    for (const look of PageLook.options) {
      for (const scheme of PageScheme.options) {
        const own = { look, scheme, colors: { background: "#ffffff", text: "#111111", accent: "#14532d" } };
        const size = await sizeOf(own);
        plain.push(size);
        ofForm.push((await sizeOf({ ...own, form })) - size);
      }
    }
    expect([Math.min(...plain), Math.max(...plain)].map(inKilobytes)).toEqual([2.2, 2.7]);
    expect(new Set(ofForm.map(inKilobytes))).toEqual(new Set([1.5]));
  });

  it("counts as a scan when opened by its code, not by its own URL", async () => {
    const { page, qr } = await makeCodeOfPage(maker);
    const queued: ScansMessage[] = [];
    const send = async (message: ScansMessage) => void queued.push(structuredClone(message));
    const edge = new Service({ scanQueue: { send } as unknown as Queue<ScansMessage> });
    const head = await edge.fetch(`/${qr.hash}`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await edge.fetch(page.url, { headers: { "user-agent": phone } })).status).toBe(200);
    expect((await openCode(edge, qr.hash)).texts("h1")).toEqual(["Summer fair"]);
    await edge.consume(
      "scans",
      queued.map((body) => ({ body })),
    );
    const scans = await maker.client.expect(200, ScanListResponse, "GET", `/qr/${qr.id}/scans`);
    expect(scans.stats.total).toBe(1);
  });

  it("shows a change from the next scan on", async () => {
    const { page, qr } = await makeCodeOfPage(maker, { intro: "Old" });
    expect((await openCode(service, qr.hash)).texts("p")).toEqual(["Old"]);
    const path = `/developer/pages/${page.id}`;
    const changed = await maker.session.expect(200, Page, "PATCH", path, { intro: null, title: "New" });
    expect(changed).toMatchObject({ intro: null, title: "New" });
    const shown = await openCode(service, qr.hash);
    expect([shown.texts("h1"), shown.texts("p")]).toEqual([["New"], []]);
  });

  it("is not modified by an update without changes", async () => {
    const page = await makePage(maker, everything);
    const path = `/developer/pages/${page.id}`;
    for (const same of [{}, { title: page.title }, { blocks: everything.blocks }]) {
      expect(await maker.session.expect(200, Page, "PATCH", path, same)).toEqual(page);
    }
  });

  it("is listed newest first with cursors, in its workspace only", async () => {
    const own = await pageMaker(service);
    const made: string[] = [];
    for (const title of ["A", "B", "C"]) made.unshift((await makePage(own, { title })).id);
    const first = await own.session.expect(200, PageList, "GET", "/developer/pages?limit=2");
    expect(first.items.map(({ id }) => id)).toEqual(made.slice(0, 2));
    const next = `/developer/pages?limit=2&cursor=${first.nextCursor}`;
    const second = await own.session.expect(200, PageList, "GET", next);
    expect([second.items.map(({ id }) => id), second.nextCursor]).toEqual([made.slice(2), null]);
    await expectError(await own.session.send("GET", "/developer/pages?cursor=x"), 400, "invalid_input");
    await expectError(await own.session.send("GET", "/developer/pages?limit=0"), 400, "invalid_input");
  });

  it("can't be deleted while a code uses it, even a paused one, and is gone at once when deleted", async () => {
    const { page, qr } = await makeCodeOfPage(maker);
    await maker.client.send("PATCH", `/qr/${qr.id}`, { status: "paused" });
    const path = `/developer/pages/${page.id}`;
    const refused = await maker.session.send("DELETE", path);
    expect(await expectError(refused, 400, "invalid_input")).toContain("A QR code links to this page");
    const other = await makePage(maker, { title: "Other" });
    await maker.client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, {
      status: "active",
      data: { type: "servicepage", pageId: other.id },
    });
    expect((await openCode(service, qr.hash)).texts("h1")).toEqual(["Other"]);
    expect((await maker.session.send("DELETE", path)).status).toBe(200);
    await expectError(await maker.session.send("DELETE", path), 404, "not_found");
    expect((await service.fetch(page.url)).status).toBe(404);
    const body = { qrType: "servicepage", data: { type: "servicepage", pageId: page.id } };
    const late = await maker.client.send("POST", "/qr", body);
    expect(await expectError(late, 400, "invalid_input")).toBe("data.pageId isn't a page of this workspace.");
  });

  it("of another workspace can't be used by a code: on creation, update and in bulk", async () => {
    const theirs = await makePage(await pageMaker(service));
    const { qr } = await makeCodeOfPage(maker);
    const item = { qrType: "servicepage", data: { type: "servicepage", pageId: theirs.id } };
    const words = "data.pageId isn't a page of this workspace.";
    const created = await maker.client.send("POST", "/qr", item);
    expect(await expectError(created, 400, "invalid_input")).toBe(words);
    const changed = await maker.client.send("PATCH", `/qr/${qr.id}`, { data: item.data });
    expect(await expectError(changed, 400, "invalid_input")).toBe(words);
    const ours = { ...item, data: { type: "servicepage", pageId: (await makePage(maker)).id } };
    const items = [item, ours, { ...item, data: { type: "servicepage", pageId: "x" } }];
    const { jobId } = await maker.client.expect(202, BulkJob, "POST", "/qr/bulk", { items });
    await service.consume("bulk", [{ body: { task: "run", workspaceId: maker.client.workspaceId, jobId } }]);
    const job = await maker.client.expect(200, BulkJobWithItems, "GET", `/qr/bulk/${jobId}`);
    expect(job.items.map(({ error }) => error)).toEqual([
      words,
      null,
      "data.pageId must be the id of a page.",
    ]);
    const hash = job.items[1]?.createdQrHash ?? "";
    expect((await openCode(service, hash)).texts("h1")).toEqual(["Summer fair"]);
  });

  it("deleted before a deleted code that uses it is restored is not shown, and no scan is counted", async () => {
    const { page, qr } = await makeCodeOfPage(maker);
    expect((await maker.client.send("DELETE", `/qr/${qr.id}`)).status).toBe(200);
    expect((await maker.session.send("DELETE", `/developer/pages/${page.id}`)).status).toBe(200);
    await maker.client.expect(200, Qr, "POST", `/qr/${qr.id}/restore`);
    const shown = await openCode(service, qr.hash);
    expect([shown.status, shown.html.includes("Summer fair")]).toEqual([404, false]);
    await openCode(service, (await makeCodeOfPage(maker)).qr.hash);
    const scans = await maker.client.expect(200, ScanListResponse, "GET", `/qr/${qr.id}/scans`);
    expect(scans.stats.total).toBe(0);
  });

  it("is not found by malformed and unknown ids", async () => {
    for (const id of ["x", crypto.randomUUID(), "..%2f", "%00"]) {
      const response = await service.fetch(`/pages/${id}`);
      expect(response.status).toBe(404);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
    expect((await service.fetch("/pages")).status).toBe(404);
    expect((await service.fetch("/pages/")).status).toBe(404);
  });

  it.each(["free", "starter"] as const)(
    "can't be created on the plan %s, but is kept after a downgrade",
    async (plan) => {
      const session = await service.session(plan);
      const refused = await session.send("POST", "/developer/pages", { title: "Mine" });
      expect(await expectError(refused, 402, "plan_limit")).toMatch(
        /^Your \w+ plan doesn't include hosted pages/,
      );
      const own = await pageMaker(service);
      const { page, qr } = await makeCodeOfPage(own);
      const setting = `/operator/workspaces/${own.client.workspaceId}/plan`;
      expect((await service.operator.send("PUT", setting, { plan })).status).toBe(200);
      expect((await openCode(service, qr.hash)).status).toBe(200);
      const path = `/developer/pages/${page.id}`;
      expect(await own.session.expect(200, Page, "PATCH", path, { title: "Still mine" })).toMatchObject({
        title: "Still mine",
      });
    },
  );
});
