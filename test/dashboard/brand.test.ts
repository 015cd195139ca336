import { beforeEach, describe, expect, it } from "vitest";
import { Brand, BrandLogo } from "../../src/contract/resources/images/brand.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import type { Browser } from "../support/browser.ts";
import { fieldsOf, linksOf, pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
import { dataUri, svg } from "../support/images/logos.ts";
import { logosOf } from "../support/images/templates.ts";
import { origin, Service } from "../support/service.ts";

const service = new Service();
const path = "/dashboard/settings/brand";
const markup = `<img src=x onerror=alert(1)>"'&`;
let me: SignedInBrowser;
let browser: Browser;

beforeEach(async () => {
  me = await signedIn(service);
  ({ browser } = me);
});

const disc = svg('<circle cx="50" cy="50" r="40" fill="teal"/>');
const brandOf = async (own = me) =>
  Brand.parse(await (await own.browser.open("/api/v1/developer/brand")).json());
const upload = (logo: Uint8Array<ArrayBuffer>, own = me) => own.browser.upload(path, { part: "logo", logo });

it("an empty brand says what it is for, and the settings lead to it", async () => {
  expect(await pageAt(browser, "/dashboard/settings")).toContain(`href="${path}"`);
  const page = await pageAt(browser, path);
  expect(page).toContain("No colours or logos yet");
  expect(page).toContain("Upload logo");
});

describe("a colour", () => {
  const submit = (values: Record<string, string>) => browser.submit(path, values);

  it("is added by its digits, by any CSS colour, or by the browser's own control, and removed", async () => {
    expect((await submit({ hex: " #14532D ", name: markup })).headers.get("location")).toBe(
      `${origin}${path}`,
    );
    const page = await pageAt(browser, path);
    expect(page).toContain("Colour added.");
    expect(page).toContain('fill="#14532d"');
    expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(page).not.toContain("<img src=x");
    await submit({ hex: "navy", name: "" });
    await submit({ hex: "", picked: "#e8431b", name: "Warm" });
    // The text is what counts.
    await submit({ hex: "#fff", picked: "#e8431b", name: "" });
    expect((await brandOf()).colors).toEqual([
      { hex: "#14532d", name: markup },
      { hex: "#000080", name: null },
      { hex: "#e8431b", name: "Warm" },
      { hex: "#ffffff", name: null },
    ]);
    // Added again, it gets another name, in its place.
    await submit({ hex: "#14532d", name: "Forest" });
    expect((await brandOf()).colors[0]).toEqual({ hex: "#14532d", name: "Forest" });
    expect((await submit({ remove: "#e8431b" })).status).toBe(303);
    expect((await submit({ remove: "#e8431b" })).status).toBe(303);
    expect((await brandOf()).colors.map(({ hex }) => hex)).toEqual(["#14532d", "#000080", "#ffffff"]);
  });

  it.each([
    [{ hex: "reddish", name: "Mine" }, "Enter a colour, such as #14532d."],
    [{ hex: "", name: "Mine" }, "Enter a colour, such as #14532d."],
    [{ hex: "", picked: "#14532d", name: "Mine" }, "Enter a colour, such as #14532d."],
    [{ hex: "transparent", name: "Mine" }, "Enter a colour, such as #14532d."],
    [{ hex: "#14532d", name: "x".repeat(61) }, "Name can have at most 60 characters."],
  ])("%j is refused at its field, which keeps what was entered", async (values, problem) => {
    const answer = await submit(values);
    const page = await answer.text();
    expect([answer.status, page.includes(problem)]).toEqual([400, true]);
    expect(page).toContain(`value="${values.name}"`);
    expect((await brandOf()).colors).toEqual([]);
  });

  it("is added to those of others at the same time, up to twelve", async () => {
    const colors = Array.from({ length: 10 }, (_, i) => ({ hex: `#00000${i}`, name: null }));
    const session = await service.sessionIn(me.client.workspaceId);
    await session.expect(200, Brand, "PATCH", "/developer/brand", { colors });
    const hexes = ["#111111", "#222222", "#333333", "#444444"];
    const answers = await Promise.all(hexes.map((hex) => submit({ hex, name: "" })));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(
      (await brandOf()).colors.length - colors.length,
    );
    for (const hex of hexes) await submit({ hex, name: "" });
    expect((await brandOf()).colors).toHaveLength(12);
    const full = await submit({ hex: "#ffffff", name: "" });
    const words = "can&#39;t be added: a brand can have at most 12 colors. Remove one first.";
    expect([full.status, (await full.text()).includes(words)]).toEqual([400, true]);
    const page = await pageAt(browser, path);
    expect(page).toContain("A brand can have at most 12 colours.");
    expect(page).not.toContain('name="hex"');
  });
});

describe("a logo", () => {
  it("is uploaded under the name of its file, renamed, and deleted after a question", async () => {
    expect((await upload(disc)).headers.get("location")).toBe(`${origin}${path}`);
    expect(await pageAt(browser, path)).toMatch(/Not in use/);
    const [id = ""] = await logosOf(me);
    const [edit = "", remove = ""] = linksOf(await pageAt(browser, path), "menu-item").filter((link) =>
      link.includes("/logos/"),
    );
    expect([edit, remove]).toEqual([`${path}/logos/${id}/edit`, expect.stringContaining(`${id}/delete`)]);
    const file = await browser.open(`${path}/logos/${id}`);
    expect([file.headers.get("content-type"), file.headers.get("content-security-policy")]).toEqual([
      "image/svg+xml",
      "default-src 'none'; sandbox",
    ]);
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(disc);
    const form = await pageAt(browser, edit);
    expect(fieldsOf(form).name).not.toBe("");
    const empty = await browser.submit(edit, { name: " " });
    expect([empty.status, (await empty.text()).includes("Enter a name.")]).toEqual([400, true]);
    await browser.submit(edit, { name: markup });
    const page = await pageAt(browser, path);
    expect(page).toContain("Logo renamed.");
    expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(page).not.toContain("<img src=x");
    expect(await pageAt(browser, remove)).toContain("No code or template uses it.");
    expect((await brandOf()).logos).toHaveLength(1);
    await browser.submit(remove, {});
    const after = await pageAt(browser, path);
    expect(after).toContain("Logo deleted.");
    expect(after).toContain("No colours or logos yet");
    expect((await browser.open(edit)).status).toBe(404);
  });

  it("shows what has it, which keeps it when it is deleted", async () => {
    const session = await service.sessionIn(me.client.workspaceId);
    const input = { name: "Cup", logo: dataUri(disc) };
    const { id } = await session.expect(201, BrandLogo, "POST", "/developer/brand/logos", input);
    const advanced = { logo: { id } };
    const template = { name: "House style", advanced };
    await session.expect(201, Template, "POST", "/developer/templates", template);
    await me.client.createQr({ advanced });
    const page = await pageAt(browser, path);
    expect(page).toMatch(/>Cup<.*>House style<\/a>, 1 code/s);
    const remove = `${path}/logos/${id}/delete`;
    expect(await pageAt(browser, remove)).toMatch(/Kept where it is in use: .*House style<\/a>, 1 code/s);
    await browser.submit(remove, {});
    expect((await brandOf()).logos).toEqual([]);
    const after = await pageAt(browser, path);
    expect(after).toMatch(/In use, not in the brand.*House style<\/a>, 1 code.*Add to brand/s);
    const edit = `${path}/logos/${id}/edit`;
    expect(await pageAt(browser, edit)).toContain("Add logo to brand");
    await browser.submit(edit, { name: "Cup again" });
    expect(await pageAt(browser, path)).toContain("Logo added to the brand.");
    expect((await brandOf()).logos.map(({ name }) => name)).toEqual(["Cup again"]);
  });

  it.each([
    ["no file", new Uint8Array(), "Choose a file."],
    ["a script", svg("<script/>"), "can&#39;t contain &lt;script&gt;"],
    ["a large file", svg(`<!--${"x".repeat(256 * 1024)}-->`), "can have at most 256 KiB"],
    ["a file larger than a form", svg(`<!--${"x".repeat(3 * 1024 * 1024)}-->`), "can have at most 256 KiB"],
  ])("is refused for %s, at its field", async (_, logo, problem) => {
    const answer = await upload(logo);
    const page = await answer.text();
    expect([answer.status, page.includes(problem)]).toEqual([400, true]);
    expect(page).toContain('aria-describedby="logo-problem"');
    expect(await logosOf(me)).toEqual([]);
  });

  it("is not for the Free plan, whose colours can be kept", async () => {
    const free = await signedIn(service, "free");
    const page = await pageAt(free.browser, path);
    expect(page).toContain("Your Free plan doesn&#39;t include logos.");
    expect(page).not.toContain("Upload logo");
    expect((await upload(disc, free)).status).toBe(402);
    await free.browser.submit(path, { hex: "navy", name: "" });
    expect((await brandOf(free)).colors).toHaveLength(1);
  });

  it.each(["", "/edit", "/delete"])(
    "of another workspace has no page%s, like an unknown one",
    async (suffix) => {
      const other = await signedIn(service);
      await upload(disc, other);
      const [theirs = ""] = await logosOf(other);
      const answers = await Promise.all(
        [theirs, "0".repeat(64), "nonsense"].map(async (id) => {
          const page = `${path}/logos/${id}${suffix}`;
          const opened = await browser.open(page);
          const sent = await browser.submit(page, { name: "Mine" });
          return [
            opened.status,
            sent.status,
            ((await opened.text()) + (await sent.text())).replaceAll(id, "ID"),
          ];
        }),
      );
      expect(answers[0]?.[0]).toBe(404);
      expect(answers.slice(1)).toEqual([answers[0], answers[0]]);
      expect((await brandOf(other)).logos).toHaveLength(1);
    },
  );
});
