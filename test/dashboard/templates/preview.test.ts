import { beforeEach, describe, expect, it } from "vitest";
import type { Browser } from "../../support/browser.ts";
import { fieldsOf, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { svg } from "../../support/images/logos.ts";
import {
  type FormValues,
  logosOf,
  onlyTemplate,
  submitTemplate,
  templatesPath,
} from "../../support/images/templates.ts";
import { Service } from "../../support/service.ts";

const service = new Service();
const path = templatesPath;
let me: SignedInBrowser;
let browser: Browser;

beforeEach(async () => {
  me = await signedIn(service);
  ({ browser } = me);
});

const disc = svg('<circle cx="50" cy="50" r="40" fill="teal"/>');
const create = (values: FormValues, own = me) => submitTemplate(own, values);
const only = () => onlyTemplate(me);

describe("the preview", () => {
  const preview = async (fields: FormValues) => (await browser.upload(`${path}/preview`, fields)).text();
  const drawingOf = (page: string) => atob(/base64,([^"]+)/.exec(page)?.[1] ?? "");

  it("draws what the form says, with a logo that is not stored", async () => {
    const page = await preview({
      "colorConfig.dotsColor": "#123456",
      "advanced.modules": "dots",
      logo: disc,
    });
    expect(page).not.toContain("<html");
    expect(drawingOf(page)).toContain('fill="#123456"');
    expect(drawingOf(page)).toContain("data:image/svg+xml;base64,");
    expect(await logosOf(me)).toEqual([]);
    expect(drawingOf(await preview({}))).not.toContain("data:image");
  });

  it("says why there is none", async () => {
    expect(await preview({ "colorConfig.dotsColor": "#eeeeee" })).toContain(
      "The colour of the code is too pale to scan",
    );
    expect(await preview({ logo: svg("<script/>") })).toContain("The logo can&#39;t contain &lt;script&gt;");
    const large = svg(`<!--${"x".repeat(2 * 1024 * 1024)}-->`);
    expect(await preview({ logo: large })).toContain("The logo can have at most 256 KiB.");
  });

  it("asks for a plan with templates, before it reads a logo", async () => {
    me = await signedIn(service, "free");
    ({ browser } = me);
    for (const fields of [{ "advanced.modules": "dots" }, { logo: svg("<script/>") }]) {
      expect(await preview(fields)).toContain(
        "Your Free plan doesn&#39;t include design templates. Upgrade to use them.",
      );
    }
  });

  it("of a code shows what saving would: a template that was chosen, but none that was applied before", async () => {
    await create({ name: "House style", "colorConfig.dotsColor": "#113355" });
    const { id } = await only();
    const qr = await me.client.createQr({ colorConfig: { dotsColor: "#7a0000" } });
    const shown = async (fields: Record<string, string>) => {
      const query = new URLSearchParams({ id: qr.id, ...fields });
      return drawingOf(await pageAt(browser, `/dashboard/codes/preview?${query}`));
    };
    const fields = fieldsOf(await pageAt(browser, `/dashboard/codes/${qr.id}/edit`));
    expect(await shown(fields)).toContain('fill="#7a0000"');
    expect(await shown({ ...fields, templateId: id })).toContain('fill="#113355"');
    expect(await shown({ ...fields, templateId: id, "colorConfig.dotsColor": "#004400" })).toContain(
      "#004400",
    );
    await browser.submit(`/dashboard/codes/${qr.id}/edit`, { ...fields, templateId: id });
    const edit = `${path}/${id}/edit`;
    await browser.upload(edit, {
      ...fieldsOf(await pageAt(browser, edit)),
      "colorConfig.dotsColor": "#550055",
    });
    expect(await shown(fieldsOf(await pageAt(browser, `/dashboard/codes/${qr.id}/edit`)))).toContain(
      "#113355",
    );
  });
});
