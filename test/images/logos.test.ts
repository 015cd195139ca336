import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { Template, TemplateList } from "../../src/contract/resources/images/templates.ts";
import { BulkHarness, item } from "../support/bulk.ts";
import { rasterise, readWithZxing } from "../support/images/decode.ts";
import {
  blueJpeg,
  dataUri,
  deflate,
  imageHeader,
  join,
  makePng,
  type PngKind,
  plainPng,
  pngChunk,
  svg,
} from "../support/images/logos.ts";
import { SeededRandom } from "../support/runner/seeded-random.ts";
import { type Client, emittedEvents, type SessionClient } from "../support/service.ts";

const harness = new BulkHarness();
const { service } = harness;
const random = new SeededRandom(1);
let client: Client;
let session: SessionClient;
let red: Uint8Array<ArrayBuffer>;
let blue: Uint8Array<ArrayBuffer>;
const green = svg('<rect width="100" height="100" fill="#00ff00"/>');
const path = "/developer/templates";
const rgb: PngKind = { colorType: 2, depth: 8, interlaced: false, transparency: false };

beforeAll(async () => {
  session = await service.session();
  client = await service.client(session.workspaceId);
  red = await plainPng(random, [255, 0, 0], 20, 20);
  blue = await plainPng(random, [0, 0, 255], 20, 20);
});

const make = (logo?: Uint8Array, who = session) =>
  who.expect(201, Template.strict(), "POST", path, {
    name: "With a logo",
    ...(logo === undefined ? {} : { logo: dataUri(logo) }),
  });

/** The colour in the middle of a code's image, which is read as its scanUrl. */
async function middleOf({ hash, scanUrl }: Qr, format: "svg" | "png" = "svg"): Promise<string> {
  const response = await service.fetch(`/${hash}.${format}?size=330`);
  expect(response.status).toBe(200);
  const picture = await rasterise(format, new Uint8Array(await response.arrayBuffer()), 330);
  expect(await readWithZxing(picture)).toEqual([scanUrl]);
  const at = (165 * 330 + 165) * 4;
  return [...picture.data.slice(at, at + 3)].join();
}

const tagOf = async ({ hash }: Qr, query = "") =>
  (await service.fetch(`/${hash}.svg${query}`)).headers.get("etag");

const logoIdOf = (id: string | null | undefined) =>
  env.DB.prepare("SELECT logo_id FROM qr_codes WHERE id = ?")
    .bind(id ?? "")
    .first("logo_id");

/** A PNG that is transparent but for a pixel in a corner. */
const oneDot = () =>
  makePng(random, { colorType: 6, depth: 8, interlaced: false, transparency: false }, 10, 10, (x, y) => [
    0,
    0,
    0,
    x + y === 0 ? 255 : 0,
  ]);

describe("a template's logo", () => {
  it("is shown by type and size, and can be changed, removed and left as it is", async () => {
    const template = await make(red);
    expect(template.logo).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      mediaType: "image/png",
      bytes: red.length,
    });
    const change = (body: object) =>
      session.expect(200, Template.strict(), "PATCH", `${path}/${template.id}`, body);
    expect((await change({ name: "Another" })).logo).toEqual(template.logo);
    const asSvg = { id: expect.any(String), mediaType: "image/svg+xml", bytes: green.length };
    expect((await change({ logo: dataUri(green) })).logo).toEqual(asSvg);
    // Another workspace stores the same logo.
    await make(green, await service.session());
    const { templates } = await session.expect(200, TemplateList, "GET", path);
    expect(templates.filter(({ id }) => id === template.id).map(({ logo }) => logo)).toEqual([asSvg]);
    expect((await change({ logo: null })).logo).toBeNull();
    expect((await make()).logo).toBeNull();
  });

  it("is served as a file with a tag, and with a policy that allows nothing", async () => {
    for (const logo of [red, green]) {
      const { id } = await make(logo);
      const response = await session.send("GET", `${path}/${id}/logo`);
      expect(response.status).toBe(200);
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(logo);
      const type = logo === red ? "image/png" : "image/svg+xml";
      const tag = response.headers.get("etag") ?? "";
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": type,
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
        "cache-control": "private, no-cache",
      });
      const again = await session.send("GET", `${path}/${id}/logo`, undefined, { "if-none-match": tag });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
  });

  it("is 404 for another workspace, and where there is none", async () => {
    const { id } = await make(red);
    const other = await service.session();
    const refused = await other.send("GET", `${path}/${id}/logo`);
    expect([refused.status, await refused.json()]).toEqual([
      404,
      { code: "not_found", error: "Template not found." },
    ]);
    const none = await session.send("GET", `${path}/${(await make()).id}/logo`);
    expect([none.status, await none.json()]).toEqual([404, { code: "not_found", error: "Logo not found." }]);
    const foreign = await other.send("PATCH", `${path}/${id}`, { logo: dataUri(blue) });
    expect(foreign.status).toBe(404);
    expect((await session.expect(200, Template, "GET", `${path}/${id}`)).logo?.bytes).toBe(red.length);
  });

  it("is stored once per workspace, and at most a thousand are", async () => {
    const own = await service.session();
    const stored = () =>
      env.DB.prepare("SELECT count(*) AS n FROM logos WHERE workspace_id = ?")
        .bind(own.workspaceId)
        .first("n");
    await make(red, own);
    await make(red, own);
    expect(await stored()).toBe(1);
    await env.DB.prepare(
      `INSERT INTO logos (workspace_id, id, media_type, bytes, size, created_at, checked_at)
       SELECT workspace_id, value, media_type, bytes, size, created_at, checked_at
       FROM logos, (WITH n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 999) SELECT * FROM n)
       WHERE workspace_id = ?`,
    )
      .bind(own.workspaceId)
      .run();
    const refused = await own.send("POST", path, { name: "One more", logo: dataUri(blue) });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      {
        code: "invalid_input",
        error: "logo can't be added: a workspace can have at most 1000 different logos.",
      },
    ]);
    await make(red, own);
    expect(await stored()).toBe(1000);
  });

  it("is refused on the Free plan", async () => {
    const free = await service.session("free");
    const refused = await free.send("POST", path, { name: "x", logo: dataUri(red) });
    expect([refused.status, await refused.json()]).toMatchObject([402, { code: "plan_limit" }]);
  });
});

describe("applied to a code", () => {
  it("is drawn in the middle of all its images, with error correction H", async () => {
    const qr = await client.createQr({ templateId: (await make(red)).id });
    expect([await middleOf(qr, "svg"), await middleOf(qr, "png")]).toEqual(["255,0,0", "255,0,0"]);
    const asked = await client.send("GET", `/qr/${qr.id}/image?ecc=L`);
    const shown = await service.fetch(`/${qr.hash}.svg`);
    expect(await asked.text()).toBe(await shown.text());
    expect(asked.headers.get("etag")).toBe(shown.headers.get("etag"));
    const vector = await client.createQr({ templateId: (await make(green)).id });
    expect([await middleOf(vector), await middleOf(vector, "png")]).toEqual(["0,255,0", "0,255,0"]);
  });

  it("is drawn as its first picture, without what only some readers read", async () => {
    // The header ends at byte 33.
    const [head, rest] = [red.slice(0, 33), red.slice(33)];
    const animation = pngChunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0]);
    const text = pngChunk("zTXt", [65, 0, 0, ...(await deflate(new Uint8Array(1000)))]);
    const template = await make(join(head, animation, text, rest));
    const file = await session.send("GET", `${path}/${template.id}/logo`);
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(red);
    // As an earlier version stored it.
    const { hash } = await client.createQr({ templateId: template.id });
    const key = `logos/${session.workspaceId}/${template.logo?.id}`;
    await env.FILES.put(key, join(head, animation, rest, imageHeader(9000, 9000, rgb)));
    expect(await (await service.fetch(`/${hash}.svg`)).text()).toContain(dataUri(red));
  });

  it("may be a JPEG, which is converted to a PNG", async () => {
    const template = await make(undefined);
    const logo = dataUri(blueJpeg, "image/jpeg");
    const changed = await session.expect(200, Template, "PATCH", `${path}/${template.id}`, { logo });
    expect(changed.logo?.mediaType).toBe("image/png");
    const file = await session.send("GET", `${path}/${template.id}/logo`);
    const { width, height } = await rasterise("png", new Uint8Array(await file.clone().arrayBuffer()), 40);
    expect([width, height, file.headers.get("content-type")]).toEqual([40, 40, "image/png"]);
    const qr = await client.createQr({ templateId: template.id });
    for (const format of ["svg", "png"] as const) expect(await middleOf(qr, format)).toBe("0,0,254");
  });

  it("shows a picture embedded in an SVG, also in a PNG", async () => {
    const picture = svg(`<image width="100" height="100" href="${dataUri(blue)}"/>`);
    const qr = await client.createQr({ templateId: (await make(picture)).id });
    expect(await middleOf(qr, "png")).toBe("0,0,255");
  });

  it("is one embedded image whose content cannot break out of its attribute", async () => {
    const nasty = svg('<title>"/&gt;&lt;script&gt;</title><desc>\'"&quot;]]&gt;</desc>');
    const { hash } = await client.createQr({ templateId: (await make(nasty)).id });
    const text = await (await service.fetch(`/${hash}.svg`)).text();
    expect(text).toMatch(
      /^<svg [^<>]*>(?:<path fill="#[0-9a-f]{6}" d="[MhvazZ0-9. -]+"\/>){2}<image xmlns:xlink="http:\/\/www\.w3\.org\/1999\/xlink" x="[\d.]+" y="[\d.]+" width="[\d.]+" height="[\d.]+" preserveAspectRatio="xMidYMid slice" xlink:href="data:image\/svg\+xml;base64,[A-Za-z0-9+/=]+"\/><\/svg>\n$/,
    );
    expect(text).toContain(dataUri(svg("", 'viewBox="0 0 20000 20000"')));
  });

  it("is drawn on white where the background is transparent, else on the background", async () => {
    const { id } = await make(await oneDot());
    for (const [backgroundColor, seen] of [
      ["transparent", "255,255,255"],
      ["#ffe4b5", "255,228,181"],
    ] as const) {
      const { hash } = await client.createQr({ templateId: id, colorConfig: { backgroundColor } });
      for (const format of ["svg", "png"] as const) {
        const bytes = new Uint8Array(
          await (await service.fetch(`/${hash}.${format}?size=330`)).arrayBuffer(),
        );
        const { data } = await rasterise(format, bytes, 330, "#b0b0b0");
        const at = (165 * 330 + 165) * 4;
        expect([...data.slice(at, at + 3)].join()).toBe(seen);
        const edge = [...data.slice(0, 3)].join();
        expect(edge).toBe(backgroundColor === "transparent" ? "176,176,176" : seen);
      }
    }
  });

  it("changes the image's tag only when the logo changes", async () => {
    const qr = await client.createQr();
    const plain = await tagOf(qr);
    const seen = new Set([plain]);
    for (const logo of [red, blue, green]) {
      await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { templateId: (await make(logo)).id });
      expect(await tagOf(qr)).toBe(await tagOf(qr, "?ecc=L"));
      seen.add(await tagOf(qr));
    }
    expect(seen.size).toBe(4);
    await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { templateId: (await make()).id });
    expect(await tagOf(qr)).toBe(plain);
  });

  it("stays when the template is changed or deleted, until a template is applied again", async () => {
    const { id } = await make(red);
    const qr = await client.createQr({ templateId: id });
    await session.expect(200, Template, "PATCH", `${path}/${id}`, { logo: dataUri(blue) });
    expect(await middleOf(qr)).toBe("255,0,0");
    await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { name: "Another" });
    expect(await middleOf(qr)).toBe("255,0,0");
    await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { templateId: id });
    expect(await middleOf(qr, "png")).toBe("0,0,255");
    await session.send("DELETE", `${path}/${id}`);
    expect(await middleOf(qr)).toBe("0,0,255");
    await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { templateId: (await make()).id });
    expect(await logoIdOf(qr.id)).toBeNull();
  });

  it("is reported as a change, even when it is the only one", async () => {
    const { id } = await make(red);
    const qr = await client.createQr({ templateId: id });
    const changes = () =>
      emittedEvents().flatMap(({ kind, data }) =>
        kind === "qr.updated" && data.id === qr.id ? [data.changed] : [],
      );
    await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { templateId: id });
    expect(changes()).toEqual([]);
    await session.expect(200, Template, "PATCH", `${path}/${id}`, { logo: dataUri(blue) });
    await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { templateId: id });
    expect(changes()).toEqual([["logo"]]);
    await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { templateId: (await make(red)).id });
    expect(changes().at(-1)).toEqual(["templateId", "logo"]);
  });

  it("applies to each row of a bulk job", async () => {
    const rows = [
      { ...item(1), templateId: (await make(red)).id },
      { ...item(2), templateId: (await make(blue)).id },
      { ...item(3), templateId: (await make()).id },
      item(4),
    ];
    const job = await harness.run(client, await harness.json(client, rows));
    expect(job.successCount).toBe(4);
    const middles: (string | null)[] = [];
    for (const { createdQrId } of job.items) {
      const qr = await client.expect(200, Qr, "GET", `/qr/${createdQrId}`);
      middles.push((await logoIdOf(createdQrId)) === null ? null : await middleOf(qr));
    }
    expect(middles).toEqual(["255,0,0", "0,0,255", null, null]);
  });

  it("cannot be set by the request itself", async () => {
    const { id } = await client.createQr();
    await make(red);
    const logoId = await env.DB.prepare("SELECT id FROM logos LIMIT 1").first("id");
    await client.send("PATCH", `/qr/${id}`, { logoId, name: "x" });
    const made = await client.expect(201, Qr, "POST", "/qr", { ...item(1), logoId });
    expect([await logoIdOf(id), await logoIdOf(made.id)]).toEqual([null, null]);
  });
});

it("a workspace downgraded to Free keeps its logos, but they are no longer drawn", async () => {
  const own = await service.session();
  const key = await service.client(own.workspaceId);
  for (const logo of [red, green]) {
    const qr = await key.createQr({ templateId: (await make(logo, own)).id });
    const withLogo = await tagOf(qr);
    const setPlan = (plan: string) =>
      env.DB.prepare("UPDATE workspaces SET plan = ? WHERE id = ?").bind(plan, own.workspaceId).run();
    await setPlan("free");
    expect(await (await service.fetch(`/${qr.hash}.svg`)).text()).not.toContain("<image");
    expect((await service.fetch(`/${qr.hash}.png`)).status).toBe(200);
    await setPlan("starter");
    expect(await tagOf(qr)).toBe(withLogo);
  }
});
