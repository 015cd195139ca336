import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { Qr, QrCreateInput } from "../../src/contract/resources/codes/qr.ts";
import type { Advanced } from "../../src/contract/resources/images/design.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { createQr, updateQr } from "../../src/domain/codes/codes.ts";
import { serviceContext } from "../../src/domain/context/context.ts";
import { qrSymbol } from "../../src/lib/image/qr-symbol.ts";
import { BulkHarness, item } from "../support/bulk.ts";
import { expectError } from "../support/endpoints.ts";
import { rasterise, readWithZxing } from "../support/images/decode.ts";
import { dataUri, svg } from "../support/images/logos.ts";
import { type Client, origin, Service, type SessionClient } from "../support/service.ts";
import { expectRefused } from "../support/types.ts";

const harness = new BulkHarness();
const { service } = harness;
let client: Client;
let session: SessionClient;

beforeAll(async () => {
  session = await service.session();
  client = await service.client(session.workspaceId);
});

const templates = "/developer/templates";
const logo = dataUri(svg('<rect width="100" height="100" fill="#00ff00"/>'));

const full = {
  modules: "connected",
  eyeFrame: "leaf",
  eyeCenter: "drop",
  gradient: { type: "linear", to: "#203080", angle: 45 },
  eyeGradient: { type: "radial", to: "darkred" },
  backgroundRadius: 2.5,
  logo: { size: 0.25, padding: 1.5, cutout: "circle" },
  frame: { style: "label", text: "Scan me", color: "navy", textColor: "white" },
  quietZone: 5,
  ecc: "Q",
  compact: true,
} as const satisfies Advanced;

/** A body of `advanced`, and the start of its error. */
const wrong: [advanced: object, error: string][] = [
  [{ modules: "stars" }, "advanced.modules must be square, rounded, dots, diamond, connected, vertical or"],
  [{ eyeFrame: 3 }, "advanced.eyeFrame must be square, rounded,"],
  [{ gradient: { type: "linear" } }, "advanced.gradient.to is required"],
  [{ gradient: { type: "conic", to: "red" } }, "advanced.gradient.type must be linear or radial"],
  [{ gradient: { type: "linear", to: "reddish" } }, "advanced.gradient.to must be a CSS color"],
  [{ gradient: { type: "linear", to: "navy", angle: 360 } }, "advanced.gradient.angle must be at most 359"],
  [{ gradient: { type: "linear", to: "gold" } }, "advanced.gradient.to must be darker, or the background"],
  [{ eyeGradient: { type: "radial", to: "#ccc" } }, "advanced.eyeGradient.to must be darker, or the"],
  [{ backgroundRadius: 13 }, "advanced.backgroundRadius must be at most 12"],
  [{ logo: { size: 0.41 } }, "advanced.logo.size must be at most 0.4"],
  [{ logo: { id: "x" } }, "advanced.logo.id must be the id of a logo"],
  [{ logo: { id: "0".repeat(64) } }, "advanced.logo.id isn't a logo of this workspace"],
  [{ frame: { style: "box" } }, "advanced.frame.style must be line, label, solid or round"],
  [{ frame: { style: "line", text: "x".repeat(41) } }, "advanced.frame.text can have at most 40 characters"],
  [
    { frame: { style: "line", text: "x".repeat(10_000) } },
    "advanced.frame.text can have at most 40 characters",
  ],
  [
    { frame: { style: "solid", text: "Hi", color: "red", textColor: "#f11" } },
    "advanced.frame.textColor must stand out",
  ],
  [{ frame: { text: "امسحني" } }, "advanced.frame.text can't contain “ا” (U+0627). Use"],
  [{ frame: { text: "Scan 👍🏽" } }, "advanced.frame.text can't contain “👍” (U+1F44D). Use"],
  [{ frame: { text: "a\u202eb" } }, "advanced.frame.text can't contain U+202E. Use"],
  [{ frame: { text: "e\u0301\u0302\u0303" } }, "advanced.frame.text can't contain U+0302. Use"],
  [{ frame: { text: "a\nb" } }, "advanced.frame.text can't contain line breaks or control characters"],
  [{ quietZone: 2.5 }, "advanced.quietZone must be a whole number"],
  [{ ecc: "X" }, "advanced.ecc must be L, M, Q or H"],
  [{ compact: "yes" }, "advanced.compact must be true or false"],
];

describe("a design", () => {
  it("is kept with the client's own properties, by codes and templates", async () => {
    const advanced = { ...full, mine: { frame: "x" }, frame: { ...full.frame, note: "own" } };
    const qr = await client.createQr({ advanced });
    expect(qr.advanced).toEqual(advanced);
    expect(await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).toEqual(qr);
    const template = await session.expect(201, Template.strict(), "POST", templates, { name: "A", advanced });
    expect(template.advanced).toEqual(advanced);
    const changed = await session.expect(200, Template.strict(), "PATCH", `${templates}/${template.id}`, {
      advanced: { modules: "dots", frame: { text: null }, eyeFrame: null },
    });
    const { eyeFrame: _, ...others } = advanced;
    const { text: __, ...frame } = advanced.frame;
    expect(changed.advanced).toEqual({ ...others, modules: "dots", frame });
  });

  describe("that is wrong", () => {
    let id: string;
    beforeAll(async () => {
      ({ id } = await client.createQr({ advanced: { note: 1 } }));
    });

    it.each(wrong)("is refused by codes and templates: %j", async (advanced, error) => {
      const starts = async (response: Response) =>
        expect((await expectError(response, 400, "invalid_input")).slice(0, error.length)).toBe(error);
      await starts(await client.send("POST", "/qr", { ...item(1), advanced }));
      // A change may leave out what the rest has, so its words can be of another problem.
      const change = await client.send("PATCH", `/qr/${id}`, { advanced });
      expect(await expectError(change, 400, "invalid_input")).toContain("advanced.");
      await starts(await session.send("POST", templates, { name: "A", advanced }));
    });

    it("is refused in its own row of a bulk job", async () => {
      const rows = wrong.map(([advanced], i) => ({ ...item(i), advanced }));
      const job = await harness.run(client, await harness.json(client, [...rows, item(rows.length)]));
      const errors = wrong.map(([, error], i) => job.items[i]?.error?.slice(0, error.length));
      expect(errors).toEqual(wrong.map(([, error]) => error));
      expect([job.items.length, job.items.at(-1)?.error]).toEqual([wrong.length + 1, null]);
    });
  });

  it("of a code is judged as a whole after each change", async () => {
    const { id } = await client.createQr({
      advanced: { gradient: { type: "linear", to: "#5a5a5a" }, frame: { style: "line", text: "Hi" } },
    });
    const patch = (body: object) => client.send("PATCH", `/qr/${id}`, body);
    const problem = /^advanced\.gradient\.to must be darker, or the background lighter/;
    await expectRefused(await patch({ colorConfig: { backgroundColor: "#aaa" } }), problem);
    await expectRefused(await patch({ advanced: { gradient: { to: "#999" } } }), problem);
    await expectRefused(
      await patch({ advanced: { gradient: { type: null } } }),
      /^advanced\.gradient\.type is required/,
    );
    const changed = await client.expect(200, Qr, "PATCH", `/qr/${id}`, {
      colorConfig: { backgroundColor: "#aaa" },
      advanced: { gradient: null, frame: { text: "Ho" } },
    });
    expect(changed.advanced).toEqual({ frame: { style: "line", text: "Ho" } });
  });

  it("that was stored before it meant one is ignored, and only what is sent is checked", async () => {
    const { id, hash } = await client.createQr();
    const plain = await (await service.fetch(`/${hash}.svg`)).text();
    const old = {
      modules: "stars",
      frame: 7,
      gradient: { type: "linear", to: "gold" },
      ecc: ["H"],
      logo: "x",
    };
    await env.DB.prepare("UPDATE qr_codes SET advanced = ? WHERE id = ?").bind(JSON.stringify(old), id).run();
    expect(await (await service.fetch(`/${hash}.svg`)).text()).toBe(plain);
    const response = await client.send("PATCH", `/qr/${id}`, { advanced: { quietZone: 6 }, name: "x" });
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { advanced: { ...old, quietZone: 6 } },
    ]);
    const colors = { colorConfig: { dotsColor: "navy" } };
    expect((await client.send("PATCH", `/qr/${id}`, colors)).status).toBe(200);
  });
});

describe("a compact code", () => {
  it("holds its address in upper case but for the scheme, which leads to the same place, and is smaller", async () => {
    const hash = `menu-${crypto.randomUUID().slice(0, 8)}`;
    const qr = await client.createQr({ hash, advanced: { compact: true, ecc: "H" } });
    const text = await (await service.fetch(`/${hash}.svg?size=600`)).text();
    const picture = await rasterise("svg", Uint8Array.from(new TextEncoder().encode(text)), 600);
    const [address = ""] = await readWithZxing(picture);
    expect(address).toBe(qr.scanUrl.toUpperCase().replace("HTTP:", "http:"));
    const scanned = await service.fetch(address);
    expect([scanned.status, scanned.headers.get("location")]).toEqual([302, "https://example.com/"]);
    const widthOf = (drawing: string) => Number(/viewBox="0 0 (\d+)/.exec(drawing)?.[1]);
    await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { advanced: { compact: false } });
    const whole = await (await service.fetch(`/${hash}.svg?size=600`)).text();
    expect(widthOf(text)).toBeLessThan(widthOf(whole));
  });

  it("is refused where the host can't be written in upper case", async () => {
    const elsewhere = new Service({ settings: { scanOrigin: "https://[2001:db8::1]" } });
    const own = await elsewhere.client(client.workspaceId);
    const refused = await own.send("POST", "/qr", { ...item(1), advanced: { compact: true } });
    await expectRefused(
      refused,
      /^advanced\.compact can't be true here\. The host of this service has characters/,
    );
    // Stored before, it is drawn as it can be.
    const { hash } = await client.createQr({ advanced: { compact: true } });
    expect((await elsewhere.fetch(`/${hash}.svg`)).status).toBe(200);
  });
});

describe("error correction", () => {
  it("is the highest level that needs no larger code than M, unless another is asked for", async () => {
    const { id, hash } = await client.createQr({ hash: `a-${crypto.randomUUID().slice(0, 6)}` });
    const symbol = (ecc: "L" | "M" | "Q" | "H") => qrSymbol(`${origin}/${hash}`, ecc)?.side ?? 0;
    const drawn = async (query = "") => (await client.send("GET", `/qr/${id}/image?margin=0${query}`)).text();
    const best = await drawn();
    const levels = ["H", "Q", "M"] as const;
    const level = levels.find((each) => symbol(each) === symbol("M"));
    expect(best).toBe(await drawn(`&ecc=${level}`));
    expect(best).toContain(`viewBox="0 0 ${symbol("M")} `);
    await client.expect(200, Qr, "PATCH", `/qr/${id}`, { advanced: { ecc: "L" } });
    expect(await drawn()).toBe(await drawn("&ecc=L"));
    expect(await drawn("&ecc=H")).toContain(`viewBox="0 0 ${symbol("H")} `);
  });
});

describe("a template's design", () => {
  it("replaces that of a code, whose own properties and the request's stay", async () => {
    const advanced = { modules: "dots", frame: { style: "line" } };
    const template = await session.expect(201, Template, "POST", templates, { name: "A", advanced });
    const qr = await client.createQr({
      templateId: template.id,
      advanced: { frame: { text: "Hi" }, mine: 1 } as never,
    });
    expect(qr.advanced).toEqual({ modules: "dots", frame: { style: "line", text: "Hi" }, mine: 1 });
    const other = await client.createQr({ advanced: { eyeFrame: "leaf", mine: 2 } });
    const change = { templateId: template.id, advanced: { quietZone: 6 } };
    const changed = await client.expect(200, Qr, "PATCH", `/qr/${other.id}`, change);
    expect(changed.advanced).toEqual({ ...advanced, mine: 2, quietZone: 6 });
    const plain = await session.expect(201, Template, "POST", templates, { name: "B" });
    const kept = await client.expect(200, Qr, "PATCH", `/qr/${other.id}`, { templateId: plain.id });
    expect(kept.advanced).toEqual(changed.advanced);
  });
});

describe("a logo of the design", () => {
  it("is one of the workspace, by its id, and null removes it", async () => {
    const made = await session.expect(201, Template.strict(), "POST", templates, { name: "L", logo });
    const id = made.logo?.id ?? "";
    const logoOf = (qr: { id: string }) =>
      env.DB.prepare("SELECT logo_id FROM qr_codes WHERE id = ?").bind(qr.id).first("logo_id");
    const qr = await client.createQr({ advanced: { logo: { id, size: 0.2 } } });
    expect(await logoOf(qr)).toBe(id);
    const patch = (body: object) => client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, body);
    await patch({ advanced: { logo: { size: 0.25 } } });
    expect(await logoOf(qr)).toBe(id);
    expect((await patch({ advanced: { logo: null } })).advanced).toBeNull();
    expect(await logoOf(qr)).toBeNull();
    await patch({ advanced: { logo: { id } } });
    expect(await logoOf(qr)).toBe(id);
    const none = await session.expect(201, Template, "POST", templates, { name: "N" });
    expect((await patch({ templateId: none.id })).advanced).toEqual({ logo: {} });
    expect(await logoOf(qr)).toBeNull();
    const byTemplate = await client.createQr({ templateId: made.id });
    // Sent back as it was read, it changes nothing.
    await client.expect(200, Qr, "PATCH", `/qr/${byTemplate.id}`, { ...byTemplate, name: "same" });
    expect(await logoOf(byTemplate)).toBe(id);
    const copied = await session.expect(201, Template, "POST", templates, {
      name: "Copy",
      advanced: { logo: { id } },
    });
    expect(copied.logo).toEqual(made.logo);
    const foreign = await service.workspace();
    const refused = await foreign.send("POST", "/qr", { ...item(1), advanced: { logo: { id } } });
    await expectRefused(refused, /^advanced\.logo\.id isn't a logo of this workspace\.$/);
  });
});

const lacks = (name: string) => `Your Free plan doesn't include advanced.${name}. Leave it out, or upgrade.`;

describe("on the Free plan", () => {
  it("a design beyond shape and colours is 402 with its property; a code that has one may be sent back", async () => {
    const key = await service.workspace();
    const { workspaceId } = key;
    const qr = await key.createQr({ advanced: { modules: "dots", quietZone: 3 } });
    const drawn = await (await service.fetch(`/${qr.hash}.svg`)).text();
    await env.DB.prepare("UPDATE workspaces SET plan = 'free' WHERE id = ?").bind(workspaceId).run();
    // Secret keys don't work on this plan.
    const { deps } = service;
    const free = serviceContext(workspaceId, "free");
    for (const [name, value] of Object.entries(full)) {
      const input = QrCreateInput.parse({ ...item(1), advanced: { [name]: value } });
      const created = createQr(deps, free, input);
      if (["quietZone", "ecc", "compact"].includes(name)) await created;
      else await expect(created).rejects.toMatchObject({ status: 402, message: lacks(name) });
    }
    await updateQr(deps, free, qr.id, { advanced: qr.advanced, name: "x" });
    const other = updateQr(deps, free, qr.id, { advanced: { modules: "diamond" } });
    await expect(other).rejects.toMatchObject({ status: 402, message: lacks("modules") });
    expect(await (await service.fetch(`/${qr.hash}.svg`)).text()).not.toBe(drawn);
  });
});
