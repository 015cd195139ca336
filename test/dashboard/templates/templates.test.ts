import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { Template } from "../../../src/contract/resources/images/templates.ts";
import type { Browser } from "../../support/browser.ts";
import { fieldsOf, linksOf, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { plainPng, svg } from "../../support/images/logos.ts";
import {
  type FormValues,
  logosOf,
  onlyTemplate,
  submitTemplate,
  templatesOf,
  templatesPath,
} from "../../support/images/templates.ts";
import { SeededRandom } from "../../support/runner/seeded-random.ts";
import { origin, Service } from "../../support/service.ts";

const service = new Service();
const path = templatesPath;
const markup = `<img src=x onerror=alert(1)>"'&`;
let me: SignedInBrowser;
let browser: Browser;

beforeEach(async () => {
  me = await signedIn(service);
  ({ browser } = me);
});

const red = () => plainPng(new SeededRandom(1), [200, 0, 0], 8, 8);
const disc = svg('<circle cx="50" cy="50" r="40" fill="teal"/>');
const create = (values: FormValues, own = me) => submitTemplate(own, values);
const only = () => onlyTemplate(me);
const listed = (own = me) => templatesOf(own);

describe("a template", () => {
  it("is created by its form alone, with a logo, and shown", async () => {
    expect(await pageAt(browser, path)).toContain("No templates yet");
    const answer = await create({
      name: markup,
      "advanced.modules": "dots",
      "colorConfig.dotsColor": "#113355",
      logo: await red(),
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${origin}${path}`]);
    const template = await only();
    expect(template).toMatchObject({
      name: markup,
      shape: "circle",
      colorConfig: { dotsColor: "#113355" },
      logo: { mediaType: "image/png" },
    });
    const page = await pageAt(browser, path);
    expect(page).toContain("Template created.");
    expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(page).not.toContain("<img src=x");
    const image = await browser.open(`${path}/${template.id}/image`);
    expect(image.headers.get("content-type")).toBe("image/svg+xml");
    expect(image.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    const drawing = await image.text();
    expect(drawing).toContain('fill="#113355"');
    expect(drawing).toContain("data:image/png;base64,");
  });

  it("is saved as it is shown without a change, also of what its form can't show exactly", async () => {
    const session = await service.sessionIn(me.client.workspaceId);
    const colorConfig = {
      dotsColor: "navy",
      backgroundColor: "transparent",
      cornerColor: "black",
      note: "kept",
    };
    await session.expect(201, Template, "POST", "/developer/templates", { name: "A", colorConfig });
    const before = await only();
    const edit = `${path}/${before.id}/edit`;
    expect((await browser.upload(edit, fieldsOf(await pageAt(browser, edit)))).status).toBe(303);
    expect(await only()).toEqual(before);
    await browser.upload(edit, {
      ...fieldsOf(await pageAt(browser, edit)),
      "colorConfig.dotsColor": "#222222",
    });
    expect((await only()).colorConfig).toEqual({ ...colorConfig, dotsColor: "#222222" });
  });

  it("is edited: colours, shape and logo are changed, kept and removed", async () => {
    await create({ name: "A", "advanced.modules": "dots", "colorConfig.dotsColor": "#113355", logo: disc });
    const { id, logo } = await only();
    const edit = `${path}/${id}/edit`;
    const fields = fieldsOf(await pageAt(browser, edit));
    const saved = await browser.upload(edit, {
      ...fields,
      name: "B",
      "advanced.modules": "square",
      "colorConfig.dotsColor": "#000000",
    });
    expect(saved.status).toBe(303);
    expect(await only()).toMatchObject({ name: "B", shape: "square", colorConfig: null, logo });
    await browser.upload(edit, { ...fields, logo: await red() });
    expect((await only()).logo?.mediaType).toBe("image/png");
    await browser.upload(edit, { ...fieldsOf(await pageAt(browser, edit)), "advanced.logo.id": "" });
    expect((await only()).logo).toBeNull();
  });

  it("can have the logo of another template", async () => {
    await create({ name: "A", logo: disc });
    const [logoId = ""] = await logosOf(me);
    expect(await pageAt(browser, `${path}/new`)).toContain(`value="${logoId}"`);
    await create({ name: "B", "advanced.logo.id": logoId });
    expect((await listed()).map(({ logo }) => logo?.bytes)).toEqual([disc.length, disc.length]);
    const unknown = await create({ name: "C", "advanced.logo.id": "0".repeat(64) });
    expect(await unknown.text()).toContain("Logo file isn&#39;t a logo of this workspace");
    const other = await signedIn(service);
    expect(await (await create({ name: "C", "advanced.logo.id": logoId }, other)).text()).toContain(
      "isn&#39;t a logo",
    );
    expect(await listed(other)).toEqual([]);
  });

  it("says what is wrong beside each field, and keeps what was entered and the logo", async () => {
    const answer = await create({ name: " ", "colorConfig.dotsColor": "#eeeeee", logo: disc });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain('href="#name">Enter a name.');
    const [logoId = ""] = await logosOf(me);
    expect(fieldsOf(page)).toMatchObject({ "colorConfig.dotsColor": "#eeeeee", "advanced.logo.id": logoId });
    const pale = await create({ ...fieldsOf(page), name: "Pale" });
    const second = await pale.text();
    expect(second).toContain('href="#colorConfig.dotsColor">Colour of the code must be darker');
    const saved = await create({ ...fieldsOf(second), "colorConfig.dotsColor": "#111111" });
    expect(saved.status).toBe(303);
    expect((await only()).logo?.mediaType).toBe("image/svg+xml");
  });

  it.each([
    [
      "a broken JPEG",
      new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]),
      "must be a JPEG that is intact and not empty",
    ],
    ["an SVG with a script", svg("<script/>"), "can&#39;t contain &lt;script&gt;"],
    [
      "a broken PNG",
      new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0]),
      "must be a PNG that is intact and not empty",
    ],
    ["a file larger than a form", svg(`<!--${"x".repeat(3 * 1024 * 1024)}-->`), "can have at most 256 KiB"],
  ])("refuses %s as a logo at its field, and keeps the name", async (_, logo, problem) => {
    const answer = await create({ name: "House style", logo });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toMatch(new RegExp(`href="#logo">Logo file ${problem}`));
    expect(page).toContain('aria-describedby="logo-problem"');
    expect(fieldsOf(page).name).toBe("House style");
    expect([await listed(), await logosOf(me)]).toEqual([[], []]);
  });

  it("is applied in the form of a code, which keeps it when the template is deleted", async () => {
    await create({
      name: "House style",
      "advanced.modules": "dots",
      "colorConfig.dotsColor": "#113355",
      logo: disc,
    });
    const { id } = await only();
    const [link = ""] = linksOf(await pageAt(browser, path), "menu-item").filter((each) =>
      each.includes("templateId"),
    );
    const fields = fieldsOf(await pageAt(browser, link));
    expect(fields.templateId).toBe(id);
    await browser.submit("/dashboard/codes/new", { ...fields, "data.url": "example.com" });
    const newest = async () => {
      const [row] = (
        await env.DB.prepare("SELECT id FROM qr_codes WHERE workspace_id = ?")
          .bind(me.client.workspaceId)
          .all<{ id: string }>()
      ).results;
      return me.client.expect(200, Qr, "GET", `/qr/${row?.id}`);
    };
    const qr = await newest();
    expect(qr).toMatchObject({ templateId: id, shape: "circle", colorConfig: { dotsColor: "#113355" } });
    const question = `${path}/${id}/delete`;
    expect(await pageAt(browser, question)).toContain("keep their design");
    expect((await browser.submit(question, {})).headers.get("location")).toBe(`${origin}${path}`);
    expect(await listed()).toEqual([]);
    const image = await (await browser.open(`/dashboard/codes/${qr.id}/image`)).text();
    expect(image).toContain("data:image/svg+xml;base64,");
    const edit = `/dashboard/codes/${qr.id}/edit`;
    const form = await pageAt(browser, edit);
    expect(form).toContain("A deleted template");
    await browser.submit(edit, { ...fieldsOf(form), name: "Named" });
    expect(await newest()).toMatchObject({ name: "Named", templateId: id, colorConfig: qr.colorConfig });
  });

  it("stays with a code that is edited on a plan without templates", async () => {
    await create({ name: "House style", "colorConfig.dotsColor": "#113355" });
    const { id: templateId } = await only();
    const { id } = await me.client.createQr({ templateId });
    const plan = `/operator/workspaces/${me.client.workspaceId}/plan`;
    expect((await service.operator.send("PUT", plan, { plan: "free" })).status).toBe(200);
    const edit = `/dashboard/codes/${id}/edit`;
    const fields = fieldsOf(await pageAt(browser, edit));
    expect(fields).not.toHaveProperty("templateId");
    expect((await browser.submit(edit, { ...fields, name: "Named" })).status).toBe(303);
    const row = env.DB.prepare("SELECT name, template_id AS templateId FROM qr_codes WHERE id = ?").bind(id);
    expect(await row.first()).toEqual({ name: "Named", templateId });
  });

  it("is not offered on a plan without templates", async () => {
    const free = await signedIn(service, "free");
    const page = await pageAt(free.browser, path);
    expect(page).toContain("Your Free plan doesn&#39;t include templates");
    expect(page).not.toContain(`${path}/new`);
    const answer = await free.browser.upload(`${path}/new`, { name: "A", logo: disc });
    expect([answer.status, (await answer.text()).includes("include logos")]).toEqual([402, true]);
    expect(await logosOf(free)).toEqual([]);
  });
});

describe("of another workspace", () => {
  it("a template has no pages, like an unknown one", async () => {
    const other = await signedIn(service);
    await create({ name: "Secret" }, other);
    const [theirs] = await listed(other);
    for (const suffix of ["/edit", "/delete", "/image"]) {
      const [foreign, unknown] = await pagesOf([theirs?.id ?? "", crypto.randomUUID()], suffix);
      expect(foreign?.[0]).toBe(404);
      expect(unknown).toEqual(foreign);
    }
    expect(await listed(other)).toEqual([theirs]);
  });

  /** The pages, and what submitting to them answers. */
  const pagesOf = (ids: readonly string[], suffix: string) =>
    Promise.all(
      ids.map(async (id) => {
        const page = `${path}/${id}${suffix}`;
        const opened = await browser.open(page);
        const sent = await browser.upload(page, { name: "Mine" });
        const text = (await opened.text()) + (await sent.text());
        return [opened.status, sent.status, text.replaceAll(id, "ID")];
      }),
    );
});
