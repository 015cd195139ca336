import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DepsOverrides } from "../../../src/composition.ts";
import { presets } from "../../../src/contract/presets.ts";
import type { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { Template } from "../../../src/contract/resources/images/templates.ts";
import type { Deps } from "../../../src/domain/deps.ts";
import type { Browser } from "../../support/browser.ts";
import {
  answeredBy,
  fieldsOf,
  newestCode,
  pageAt,
  type SignedInBrowser,
  signedIn,
} from "../../support/dashboard.ts";
import { svg } from "../../support/images/logos.ts";
import { logosOf, onlyTemplate, submitTemplate } from "../../support/images/templates.ts";
import { oneOfEach } from "../../support/runner/runs.ts";
import { measurementOf, Service } from "../../support/service.ts";

const service = new Service();
let me: SignedInBrowser;
let browser: Browser;
/** The page with the form of a new code. */
let newPage: string;

async function signIn() {
  me = await signedIn(service);
  ({ browser } = me);
}
beforeAll(async () => {
  await signIn();
  newPage = await pageAt(browser, path);
});

const path = "/dashboard/codes/new";
/** The fields of a new form: those of the page, with a key of their own, in the present workspace. */
const newForm = (): Fields => ({
  ...fieldsOf(newPage),
  key: crypto.randomUUID(),
  workspaceId: me.client.workspaceId,
});
const disc = svg('<circle cx="50" cy="50" r="40" fill="teal"/>');

type Fields = Record<string, string>;

/** Creates a code by its form with these entries. */
async function create(entries: Fields, own = me): Promise<Qr> {
  const answer = await own.browser.submit(path, { ...newForm(), ...entries, "data.url": "example.com" });
  if (answer.status !== 303) throw new Error(problemsOf(await answer.text()));
  return newestCode(own);
}

const problemsOf = (page: string): string =>
  /<div class="notice bad".*?<\/ul>/s.exec(page)?.[0] ?? page.slice(0, 200);

const editOf = ({ id }: Qr) => `/dashboard/codes/${id}/edit`;
const formOf = async (qr: Qr): Promise<Fields> => fieldsOf(await pageAt(browser, editOf(qr)));

/** Saves the form of a code with these entries. */
async function save(qr: Qr, entries: Fields): Promise<Qr> {
  const answer = await browser.submit(editOf(qr), { ...(await formOf(qr)), ...entries });
  if (answer.status !== 303) throw new Error(problemsOf(await answer.text()));
  return newestCode(me);
}

/** The page that a button of the form answers. */
async function press(entries: Fields, change: string): Promise<string> {
  const answer = await browser.submit(path, { ...newForm(), ...entries, change });
  expect(answer.status).toBe(200);
  return answer.text();
}

const drawingOf = (page: string): string => atob(/base64,([^"]+)/.exec(page)?.[1] ?? "");

/** The value of the first button of a page that fills in fields, and has these words. */
const fillOf = (page: string, words: string): string => {
  const buttons = [...page.matchAll(/<button [^>]*value="(fill\?[^"]*)"[^>]*>(.*?)<\/button>/gs)];
  const [, value = ""] = buttons.find(([, , text = ""]) => text.includes(words)) ?? [];
  return value.replaceAll("&amp;", "&");
};

const everything: Fields = {
  "advanced.modules": "connected",
  "advanced.eyeFrame": "leaf",
  "advanced.eyeCenter": "circle",
  "advanced.frame.style": "label",
  "advanced.frame.text": "Menu",
  "advanced.frame.color": "#14532d",
  "advanced.gradient.type": "linear",
  "advanced.gradient.to": "#050",
  "advanced.gradient.angle": "45",
  "advanced.eyeGradient.type": "radial",
  "advanced.eyeGradient.to": "#1e3a8a",
  "advanced.backgroundRadius": "2",
  "advanced.logo.size": "22.5",
  "advanced.logo.cutout": "circle",
  "advanced.quietZone": "5",
  "advanced.ecc": "H",
  "advanced.compact": "on",
  "colorConfig.cornerColor": "123456",
};
const stored = {
  modules: "connected",
  eyeFrame: "leaf",
  eyeCenter: "circle",
  frame: { style: "label", text: "Menu", color: "#14532d" },
  gradient: { type: "linear", to: "#050", angle: 45 },
  eyeGradient: { type: "radial", to: "#1e3a8a" },
  backgroundRadius: 2,
  logo: { size: 0.225, cutout: "circle" },
  quietZone: 5,
  ecc: "H",
  compact: true,
};

describe("the designer", () => {
  it("stores every option, and shows it again", async () => {
    const qr = await create(everything);
    expect(qr).toMatchObject({ advanced: stored, colorConfig: { cornerColor: "#123456" } });
    expect(await formOf(qr)).toMatchObject({ ...everything, "colorConfig.cornerColor": "#123456" });
    const same = await save(qr, {});
    expect(same.advanced).toEqual(qr.advanced);
  });

  it("changes what was changed, clears what was cleared, and keeps what it does not show", async () => {
    const { id } = await me.client.createQr({
      advanced: { ...stored, frame: { ...stored.frame, note: "own" }, table: 7, list: [1] },
    });
    const qr = await newestCode(me);
    const changed = await save(qr, {
      "advanced.frame.text": "Lunch",
      "advanced.eyeFrame": "square",
      "advanced.gradient.type": "",
      "advanced.quietZone": "",
      "advanced.compact": "",
    });
    const { eyeFrame: _, gradient: __, quietZone: ___, compact: ____, ...rest } = stored;
    expect(changed).toMatchObject({ id, shape: qr.shape });
    expect(changed.advanced).toEqual({
      ...rest,
      frame: { ...stored.frame, text: "Lunch", note: "own" },
      table: 7,
      list: [1],
    });
    const plain = await save(changed, { "advanced.modules": "dots", "advanced.frame.style": "" });
    expect([plain.shape, plain.advanced?.modules, plain.advanced?.frame]).toEqual([
      "circle",
      undefined,
      undefined,
    ]);
    expect(plain.advanced?.table).toBe(7);
  });

  it("has a code drawn with a logo of the workspace, and without it", async () => {
    await submitTemplate(me, { name: "House", logo: disc });
    const [logo = ""] = await logosOf(me);
    const qr = await create({ ...fieldsOf(await pageAt(browser, path)), "advanced.logo.id": logo });
    expect(qr.advanced?.logo).toEqual({ id: logo });
    const image = async () => (await browser.open(`/dashboard/codes/${qr.id}/image`)).text();
    expect(await image()).toContain("data:image/svg+xml;base64,");
    expect((await formOf(qr))["advanced.logo.id"]).toBe(logo);
    expect((await save(qr, { "advanced.logo.id": "" })).advanced).not.toHaveProperty("logo");
    expect(await image()).not.toContain("data:image");
  });

  it("names the field of a value that can't be, opens its part and keeps all entries", async () => {
    const entries = { ...everything, "data.url": "example.com", "advanced.quietZone": "many" };
    const answer = await browser.submit(path, { ...newForm(), ...entries });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain('href="#advanced.quietZone">Quiet zone');
    expect(page).toMatch(/<details class="more" open[^>]*><summary>Space and error correction/);
    expect(fieldsOf(page)).toMatchObject(entries);
  });
});

describe("without scripts", () => {
  it("a button draws and measures the design, and keeps all entries", async () => {
    const page = await press({ ...everything, name: "Menu" }, "preview");
    expect(drawingOf(page)).toContain("linearGradient");
    expect(page).toMatch(/Scans well from \d\d mm.*<strong>100<\/strong>/s);
    expect(page).toContain("Print it at least this wide at 300 dpi");
    expect(fieldsOf(page)).toMatchObject({ ...everything, name: "Menu" });
    expect(newPage).not.toContain("Scans well");
    expect(newPage).toContain(
      '<strong class="needs-scripts">Testing…</strong><noscript><strong>Not measured yet</strong></noscript>',
    );
  });

  it("a button takes the nearest colour that phones can read, for each pair", async () => {
    const page = await press(
      { "colorConfig.dotsColor": "#fb0", "colorConfig.cornerColor": "#9ca3af" },
      "preview",
    );
    expect(page).toMatch(
      /The colour of the code is too pale to scan: contrast is 1\.\d+:1, phones need 3:1\./,
    );
    expect(page).toContain('<span id="preview-image" hx-preserve="true"');
    expect(page).toMatch(/The colour of the eyes is too pale to scan: contrast is 2\.\d+:1/);
    const [, dots = ""] = /Use (#[\da-f]{6}) for the code/.exec(page) ?? [];
    const first = await press(fieldsOf(page), fillOf(page, "for the code"));
    expect(fieldsOf(first)).toMatchObject({
      "colorConfig.dotsColor": dots,
      "colorConfig.cornerColor": "#9ca3af",
    });
    const second = fieldsOf(await press(fieldsOf(first), fillOf(first, "for the eyes")));
    const qr = await create(second);
    expect(qr.colorConfig).toMatchObject({ dotsColor: dots });
  });

  it("a design of light on dark is turned round", async () => {
    const light = { "colorConfig.dotsColor": "#f0f0f0", "colorConfig.backgroundColor": "#101010" };
    const page = await press(light, "preview");
    expect(page).toContain("The colour of the code is lighter than the background.");
    const swapped = fieldsOf(await press(light, fillOf(page, "Swap the two colours")));
    expect(swapped).toMatchObject({
      "colorConfig.dotsColor": "#101010",
      "colorConfig.backgroundColor": "#f0f0f0",
    });
  });

  /** A preset of each way to store modules, with and without a frame. */
  const kinds = oneOfEach(
    presets,
    ({ advanced }) =>
      `${/^(square|dots)$/.exec(String(advanced.modules))?.[0]} ${advanced.frame !== undefined}`,
  );
  it.each(kinds.map(({ name }) => name))("a button fills in the preset %s", async (name) => {
    const preset = presets.find((each) => each.name === name);
    const filled = await press(
      { name: "Mine", "advanced.quietZone": "6" },
      fillOf(newPage, `<span>${name}</span>`),
    );
    const qr = await create({ ...fieldsOf(filled), "data.url": "example.com" });
    expect(qr.name).toBe("Mine");
    expect(qr.colorConfig ?? { dotsColor: "#000000" }).toEqual(preset?.colorConfig);
    const { modules, ...advanced } = preset?.advanced ?? {};
    const isShape = modules === "square" || modules === "dots";
    expect(qr.advanced).toEqual({ ...advanced, ...(isShape ? {} : { modules }), quietZone: 6 });
    expect(qr.shape).toBe(modules === "dots" ? "circle" : null);
  });

  it("a preset keeps a text that was typed in", async () => {
    const fill = fillOf(newPage, "<span>Poster</span>");
    expect(fieldsOf(await press({ "advanced.frame.text": "Tickets" }, fill))["advanced.frame.text"]).toBe(
      "Tickets",
    );
    expect(fieldsOf(await press({}, fill))["advanced.frame.text"]).toBe("SCAN ME");
  });

  it("a color of the brand takes the place of a preset's colors, but of no one's own", async () => {
    const leaf = fieldsOf(await press({}, fillOf(newPage, "<span>Leaf</span>")));
    expect(leaf).toMatchObject({ "advanced.gradient.type": "radial", "advanced.gradient.to": "#3f6212" });
    const chip = `fill?${new URLSearchParams({ "colorConfig.dotsColor": "#123456" })}`;
    const chosen = fieldsOf(await press(leaf, chip));
    expect(chosen).toMatchObject({ "colorConfig.dotsColor": "#123456", "advanced.eyeFrame": "leaf" });
    expect(chosen["advanced.gradient.type"]).toBe("");
    const own = fieldsOf(await press({ ...leaf, "advanced.gradient.to": "#654321" }, chip));
    expect(own["advanced.gradient.type"]).toBe("radial");
  });

  it("the preview says what a part that is closed holds", async () => {
    const query = new URLSearchParams({ "advanced.gradient.type": "linear", "advanced.gradient.to": "#123" });
    const part = await pageAt(browser, `/dashboard/codes/preview?${query}`);
    expect(part).toContain('<span hx-swap-oob="innerHTML:#gradient-state">Linear across the modules</span>');
  });

  it("presets have a picture each", async () => {
    const [address = ""] = /\/dashboard\/assets\/presets-\w+\.svg/.exec(newPage) ?? [];
    const sheet = await browser.open(address);
    expect(sheet.headers.get("content-type")).toBe("image/svg+xml");
    expect(sheet.headers.get("cache-control")).toContain("immutable");
    const text = await sheet.text();
    for (const [, id] of newPage.matchAll(/presets-\w+\.svg#([\w-]+)/g))
      expect(text).toContain(`<view id="${id}"`);
    expect(text.match(/<view /g)).toHaveLength(presets.length);
  });
});

describe("a template", () => {
  beforeEach(signIn);

  const design = {
    colorConfig: { dotsColor: "#0f5c4d" },
    advanced: { modules: "connected", frame: { style: "label", text: "Scan me" }, eyeFrame: "leaf" },
  };
  const template = async () => {
    const session = await service.sessionIn(me.client.workspaceId);
    const { id } = await session.expect(201, Template, "POST", "/developer/templates", {
      name: "House",
      ...design,
    });
    return id;
  };

  it("fills in the options; what is changed or taken away stays so", async () => {
    const templateId = await template();
    const page = await press({ templateId }, "template");
    expect(drawingOf(page)).toContain("#0f5c4d");
    const filled = fieldsOf(page);
    expect(filled).toMatchObject({
      templateId,
      "colorConfig.dotsColor": "#0f5c4d",
      "advanced.modules": "connected",
      "advanced.frame.style": "label",
      "advanced.eyeFrame": "leaf",
    });
    expect(fieldsOf(await pageAt(browser, `${path}?templateId=${templateId}`))).toMatchObject({
      "advanced.modules": "connected",
      applied: templateId,
    });
    const own = { "advanced.frame.style": "", "advanced.eyeCenter": "circle" };
    const qr = await create({ ...filled, ...own });
    expect(qr).toMatchObject({ templateId, colorConfig: design.colorConfig });
    expect(qr.advanced).toEqual({ modules: "connected", eyeFrame: "leaf", eyeCenter: "circle" });
    // A further code looks the same.
    const like = fieldsOf(await pageAt(browser, `${path}?like=${qr.id}`));
    expect((await create(like)).advanced).toEqual(qr.advanced);
  });

  it("that is not filled in is applied below what was changed, and can be left again", async () => {
    const templateId = await template();
    const qr = await create({ "colorConfig.dotsColor": "#7a0000" });
    const applied = await save(qr, { templateId, "advanced.eyeFrame": "drop" });
    expect(applied).toMatchObject({ templateId, colorConfig: design.colorConfig });
    expect(applied.advanced).toEqual({ ...design.advanced, eyeFrame: "drop" });
    const left = await save(applied, { templateId: "" });
    expect(left).toMatchObject({
      templateId: null,
      advanced: applied.advanced,
      colorConfig: design.colorConfig,
    });
  });

  it("gives up its logo, too", async () => {
    await submitTemplate(me, { name: "House", logo: disc });
    const { id: templateId } = await onlyTemplate(me);
    const filled = fieldsOf(await press({ templateId }, "template"));
    expect(filled["advanced.logo.id"]).toMatch(/^[0-9a-f]{64}$/);
    const qr = await create({ ...filled, "advanced.logo.id": "" });
    expect(qr.templateId).toBe(templateId);
    expect(await (await browser.open(`/dashboard/codes/${qr.id}/image`)).text()).not.toContain("data:image");
  });

  it("has the same options, with the colours of the brand one click away", async () => {
    const answer = await submitTemplate(me, { ...everything, name: "House" });
    expect(answer.status).toBe(303);
    const { id, advanced } = await onlyTemplate(me);
    expect(advanced).toEqual(stored);
    const edit = `/dashboard/templates/${id}/edit`;
    const form = fieldsOf(await pageAt(browser, edit));
    expect(form).toMatchObject({ ...everything, "colorConfig.cornerColor": "#123456" });
    await browser.upload(edit, { ...form, "advanced.frame.style": "", "advanced.ecc": "Q" });
    const { frame: _, ...rest } = stored;
    expect((await onlyTemplate(me)).advanced).toEqual({ ...rest, ecc: "Q" });
    const session = await service.sessionIn(me.client.workspaceId);
    const brand = { colors: [{ hex: "#123456", name: "Night" }] };
    expect((await session.send("PATCH", "/developer/brand", brand)).status).toBe(200);
    const chip = new URLSearchParams({ "colorConfig.dotsColor": "#123456" });
    expect(await pageAt(browser, path)).toContain(`value="fill?${chip}"`);
  });
});

describe("the score", () => {
  const reading = (share: number): NonNullable<Deps["images"]> => ({
    png: (...args) => env.IMAGES.png(...args),
    checkLogo: (...args) => env.IMAGES.checkLogo(...args),
    readSvg: (...args) => env.IMAGES.readSvg(...args),
    pdf: (...args) => env.IMAGES.pdf(...args),
    disturbed: (...args) => env.IMAGES.disturbed(...args),
    measure: async (drawings) => measurementOf(drawings.length, share),
  });
  const score = async (fields: Fields = {}, own = browser) =>
    pageAt(own, `/dashboard/codes/score?${new URLSearchParams(fields)}`);
  /** The browser, which an isolate with these images answers. */
  const servedBy = (overrides: DepsOverrides) => answeredBy(new Service(overrides), browser);

  it("is a part of the page with the checks, for a code and a template", async () => {
    const page = await score({ "colorConfig.dotsColor": "#0f5c4d", "advanced.quietZone": "2" });
    expect(page).not.toContain("<html");
    expect(page).toMatch(/Scans well.*100.*hx-swap-oob="innerHTML:#checks".*7\.89 : 1.*2 modules/s);
    const stored = await logosOf(me);
    const form = { "advanced.modules": "diamond", logo: svg('<circle cx="50" cy="50" r="40" fill="navy"/>') };
    const part = await (await browser.upload("/dashboard/templates/score", form)).text();
    expect(part).toMatch(/Scans well.*Logo covers/s);
    expect(await logosOf(me)).toEqual(stored);
  });

  it("of a design that can't be read is said with what to change; saving it is refused and loses nothing", async () => {
    const own = servedBy({ images: reading(0.4) });
    const page = await score({ "advanced.modules": "diamond" }, own);
    expect(page).toContain("Too hard to scan");
    expect(page).toContain("It needs a score of 70 to be saved.");
    expect(page).toContain("Use square, rounded or connected modules, which leave no gaps.");
    const entries = { ...newForm(), "data.url": "example.com", name: "Menu", "advanced.modules": "diamond" };
    const answer = await own.submit(path, entries);
    const refused = await answer.text();
    expect(answer.status).toBe(400);
    expect(refused).toContain(
      'href="#advanced">This combination makes a design that phones can&#39;t read reliably. Its score is 40',
    );
    expect(refused).toContain("Too hard to scan");
    expect(fieldsOf(refused)).toMatchObject({ name: "Menu", "advanced.modules": "diamond" });
  });

  it("is asked for again later where too many were measured", async () => {
    const limit = async () => ({ success: false });
    const page = await score({}, servedBy({ images: reading(1), measurementLimit: { limit } }));
    expect(page).toContain("The next score follows shortly.");
    expect(page).toMatch(/hx-trigger="load delay:15s" hx-get="\/dashboard\/codes\/score"/);
  });

  it("is not available without the images Worker, and the rest works", async () => {
    const own = servedBy({ images: undefined });
    expect(await score({}, own)).toContain("aren&#39;t available here");
    expect(await pageAt(own, path)).toContain("Not measured");
    const qr = await create({ "advanced.modules": "diamond" }, { ...me, browser: own });
    expect(qr.advanced).toEqual({ modules: "diamond" });
  });

  it("knows no code of another workspace", async () => {
    const other = await signedIn(service);
    const { id } = await other.client.createQr();
    expect((await browser.open(`/dashboard/codes/score?id=${id}`)).status).toBe(404);
  });
});

it("the Free plan has shapes and colours, which is said where one chooses", async () => {
  const free = await signedIn(service, "free");
  const page = await pageAt(free.browser, path);
  expect(page.split("Your Free plan has squares and dots")).toHaveLength(2);
  const values = [...page.matchAll(/name="advanced\.modules" value="(\w+)"/g)].map(([, value]) => value);
  expect(values).toEqual(["square", "dots"]);
  for (const name of ["advanced.eyeFrame", "advanced.frame.style", "advanced.logo.id", "templateId"]) {
    expect(page).not.toContain(`name="${name}"`);
  }
  const entries = { "data.url": "example.com", "advanced.modules": "dots", "advanced.quietZone": "5" };
  expect((await free.browser.submit(path, { ...fieldsOf(page), ...entries })).status).toBe(303);
  const row = env.DB.prepare("SELECT shape, advanced FROM qr_codes WHERE workspace_id = ?");
  expect(await row.bind(free.client.workspaceId).first()).toEqual({
    shape: "circle",
    advanced: '{"quietZone":5}',
  });
});
