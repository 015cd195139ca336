import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { Brand, BrandLogo } from "../../src/contract/resources/images/brand.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { BulkHarness, item } from "../support/bulk.ts";
import { expectError } from "../support/endpoints.ts";
import { blueJpeg, dataUri, svg } from "../support/images/logos.ts";
import { type Client, FakeClock, Service, type SessionClient } from "../support/service.ts";
import { wrapDatabase } from "../support/world/wrapped-database.ts";

const path = "/developer/brand";
const day = 86_400_000;
const harness = new BulkHarness();
const { service } = harness;
let client: Client;
let session: SessionClient;

beforeEach(async () => {
  session = await service.session();
  client = await service.client(session.workspaceId);
});

/** A different logo for each number. */
const drawing = (n: number) => svg(`<rect width="${n}" height="50"/>`);
const add = (n: number, name = `Logo ${n}`, who = session) =>
  who.expect(201, BrandLogo.strict(), "POST", `${path}/logos`, { name, logo: dataUri(drawing(n)) });
const brandOf = (who = session) => who.expect(200, Brand.strict(), "GET", path);
const refusal = async (response: Response, status = 400, code = "invalid_input") =>
  expectError(response, status, code);

describe("the colors of a brand", () => {
  const set = (colors: unknown) => session.send("PATCH", path, { colors });

  it("are a list in an order of its own, with names or without", async () => {
    expect(await brandOf()).toEqual({ colors: [], logos: [] });
    const answer = await session.expect(200, Brand.strict(), "PATCH", path, {
      colors: [{ hex: "#E8431B", name: " Vermilion " }, { hex: "#14161b" }],
    });
    expect(answer.colors).toEqual([
      { hex: "#e8431b", name: "Vermilion" },
      { hex: "#14161b", name: null },
    ]);
    expect(await brandOf()).toEqual(answer);
    // Omitted colors stay.
    expect(await session.expect(200, Brand.strict(), "PATCH", path, {})).toEqual(answer);
    // As it was read, it is sent back, in another order.
    await session.expect(200, Brand.strict(), "PATCH", path, { colors: answer.colors.toReversed() });
    expect((await brandOf()).colors).toEqual(answer.colors.toReversed());
    expect((await brandOf(await service.session())).colors).toEqual([]);
    await session.expect(200, Brand.strict(), "PATCH", path, { colors: [] });
    expect((await brandOf()).colors).toEqual([]);
  });

  it.each([
    [[{ hex: "navy" }], "colors.0.hex must be a color in hex, such as #14532d."],
    [[{ hex: "#fff" }], "colors.0.hex must be a color in hex, such as #14532d."],
    [[{ hex: "#14532d" }, { hex: "#14532D" }], "colors can't contain a color twice."],
    [[{ hex: "#14532d", name: "x".repeat(61) }], "colors.0.name can have at most 60 characters."],
    [[{ hex: "#14532d", name: "a\nb" }], "colors.0.name can't contain line breaks or control characters."],
    [[{ name: "Forest" }], "colors.0.hex is required."],
    ["#14532d", "colors must be an array."],
  ])("%j are refused, and nothing changes", async (colors, error) => {
    await set([{ hex: "#14532d" }]);
    expect(await refusal(await set(colors))).toBe(error);
    expect((await brandOf()).colors).toEqual([{ hex: "#14532d", name: null }]);
  });

  it("are twelve at most", async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ hex: `#0000${String(i).padStart(2, "0")}` }));
    expect(await refusal(await set(many(13)))).toBe("colors can have at most 12 colors.");
    expect((await set(many(12))).status).toBe(200);
  });

  it("are for every plan", async () => {
    const free = await service.session("free");
    const colors = [{ hex: "#14532d", name: null }];
    expect((await free.expect(200, Brand, "PATCH", path, { colors })).colors).toEqual(colors);
  });
});

describe("a logo of the brand", () => {
  it("is listed with its file, renamed and deleted", async () => {
    const one = await add(1, "Wordmark");
    expect(one).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      name: "Wordmark",
      mediaType: "image/svg+xml",
      bytes: drawing(1).length,
      width: 100,
      height: 100,
      createdAt: expect.any(String),
    });
    const file = await session.send("GET", `${path}/logos/${one.id}/file`);
    expect(file.headers.get("content-type")).toBe("image/svg+xml");
    expect(file.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(drawing(1));
    const jpeg = { name: "Photo", logo: dataUri(blueJpeg, "image/jpeg") };
    const other = await session.expect(201, BrandLogo.strict(), "POST", `${path}/logos`, jpeg);
    expect(other).toMatchObject({ mediaType: "image/png", width: 40, height: 20 });
    // The same file is the same logo.
    expect(await add(1, "Again")).toEqual(one);
    const renamed = await session.expect(200, BrandLogo.strict(), "PATCH", `${path}/logos/${one.id}`, {
      name: "Mark",
    });
    expect(renamed).toEqual({ ...one, name: "Mark" });
    const { logos } = await brandOf();
    expect(logos.map(({ name }) => name).sort()).toEqual(["Mark", "Photo"]);
    expect((await session.send("DELETE", `${path}/logos/${one.id}`)).status).toBe(200);
    expect((await brandOf()).logos).toEqual([other]);
    const again = await session.send("DELETE", `${path}/logos/${one.id}`);
    expect(await refusal(again, 404, "not_found")).toBe("Logo not found.");
    const name = await session.send("PATCH", `${path}/logos/${one.id}`, { name: "Back" });
    expect(await refusal(name, 404, "not_found")).toBe("Logo not found.");
    expect(await add(1, "Back")).toMatchObject({ id: one.id, name: "Back" });
  });

  it("came with a template, and is added by a name", async () => {
    const logo = dataUri(drawing(2));
    const template = await session.expect(201, Template, "POST", "/developer/templates", { name: "T", logo });
    const id = template.logo?.id ?? "";
    expect((await brandOf()).logos).toEqual([]);
    const named = await session.expect(200, BrandLogo, "PATCH", `${path}/logos/${id}`, { name: "Named" });
    expect((await brandOf()).logos).toEqual([named]);
    // Saved with a template again, it keeps its name.
    await session.expect(201, Template, "POST", "/developer/templates", { name: "U", logo });
    expect((await brandOf()).logos).toEqual([named]);
  });

  it("is refused for what a template's is refused for, and on the Free plan", async () => {
    const post = (logo: string, who = session) => who.send("POST", `${path}/logos`, { name: "A", logo });
    expect(await refusal(await post("https://example.com/a.png"))).toMatch(/^logo must be a data URI/);
    expect(await refusal(await post(dataUri(svg("<script/>"))))).toBe("logo can't contain <script>.");
    const free = await service.session("free");
    const lacking = "Your Free plan doesn't include logos. Upgrade to use them.";
    expect(await refusal(await post(dataUri(drawing(1)), free), 402, "plan_limit")).toBe(lacking);
    const rename = await free.send("PATCH", `${path}/logos/${"0".repeat(64)}`, { name: "A" });
    expect(await refusal(rename, 402, "plan_limit")).toBe(lacking);
    expect((await brandOf(free)).logos).toEqual([]);
  });

  it("is refused beyond fifty, however many requests come at once", async () => {
    await env.DB.prepare(
      `INSERT INTO logos (workspace_id, id, media_type, size, bytes, created_at, checked_at, name)
       WITH n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 48)
       SELECT ?, value, 'image/png', '{"width":1,"height":1}', 1, 0, 0, 'x' FROM n`,
    )
      .bind(session.workspaceId)
      .run();
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        session.send("POST", `${path}/logos`, { name: `${n}`, logo: dataUri(drawing(n)) }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400]);
    const error = "logo can't be added: a brand can have at most 50 logos. Delete one first.";
    for (const answer of answers) if (answer.status === 400) expect(await refusal(answer)).toBe(error);
    // A template may have another one still, which is not in the brand.
    const template = await session.expect(201, Template, "POST", "/developer/templates", {
      name: "T",
      logo: dataUri(drawing(9)),
    });
    const full = await session.send("PATCH", `${path}/logos/${template.logo?.id}`, { name: "A" });
    expect(await refusal(full)).toBe(error);
    const { logos } = await brandOf();
    expect(logos).toHaveLength(50);
    const renamed = { name: "Renamed" };
    await session.expect(200, BrandLogo, "PATCH", `${path}/logos/${logos[0]?.id}`, renamed);
  });
});

describe("the file of a logo", () => {
  /** A workspace with a clock of its own. */
  async function shop() {
    const clock = new FakeClock();
    const own = new Service({ now: clock.now });
    const key = await own.workspace();
    const { workspaceId } = key;
    return {
      key,
      own,
      session: () => own.sessionIn(workspaceId),
      sweepDaily: async (days: number) => {
        for (let i = 0; i < days; i += 1) {
          clock.advance(day);
          await sweep(own.deps);
        }
      },
      files: async () => {
        const { objects } = await env.FILES.list({ prefix: `logos/${workspaceId}/` });
        // The drawing of an SVG is beside it.
        return new Set(objects.map(({ key }) => key.replace(/\.drawing$/, ""))).size;
      },
    };
  }

  it("stays while the logo is in the brand, and goes a day after it was deleted", async () => {
    const { session: signIn, sweepDaily, files } = await shop();
    const { id } = await add(1, "A", await signIn());
    await sweepDaily(4);
    expect(await files()).toBe(1);
    expect((await (await signIn()).send("DELETE", `${path}/logos/${id}`)).status).toBe(200);
    await sweepDaily(1);
    expect(await files()).toBe(0);
  });

  it("stays while a code or a template has the logo: no image changes", async () => {
    const { key, own, session: signIn, sweepDaily, files } = await shop();
    const { id } = await add(1, "A", await signIn());
    const qr = await key.createQr({ advanced: { logo: { id } } });
    const image = async () => {
      const response = await own.fetch(`/${qr.hash}.svg`);
      return [response.status, response.headers.get("etag"), await response.text()];
    };
    const before = await image();
    expect(before[2]).toContain("<image ");
    await (await signIn()).send("DELETE", `${path}/logos/${id}`);
    await sweepDaily(3);
    expect([await files(), await image()]).toEqual([1, before]);
    // The code may be sent back as it was read, and be restored after it was deleted.
    await key.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { advanced: qr.advanced, name: "Same" });
    await key.send("DELETE", `/qr/${qr.id}`);
    await sweepDaily(3);
    expect((await key.send("POST", `/qr/${qr.id}/restore`)).status).toBe(200);
    expect(await image()).toEqual(before);
  });
});

describe("advanced.logo.id", () => {
  const error = /^advanced\.logo\.id isn't a logo of this workspace/;

  it("is a logo of the brand, of codes, their changes, rows and templates", async () => {
    const [one, other] = [await add(1), await add(2)];
    const qr = await client.createQr({ advanced: { logo: { id: one.id } } });
    await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { advanced: { logo: { id: other.id } } });
    const name = { name: "T", advanced: { logo: { id: one.id } } };
    const made = await session.expect(201, Template, "POST", "/developer/templates", name);
    expect(made.logo?.id).toBe(one.id);
    const rows = [one, other, one].map(({ id }, i) => ({ ...item(i), advanced: { logo: { id } } }));
    const job = await harness.run(client, await harness.json(client, rows));
    expect(job.successCount).toBe(3);
    for (const { createdQrId } of job.items) {
      const image = await client.send("GET", `/qr/${createdQrId}/image`);
      expect(await image.text()).toContain("<image ");
    }
  });

  it("is never one of another workspace, of nobody, or one that was deleted", async () => {
    const foreign = await add(1, "Theirs", await service.session());
    const deleted = await add(2);
    await session.send("DELETE", `${path}/logos/${deleted.id}`);
    const { id } = await client.createQr();
    const template = await session.expect(201, Template, "POST", "/developer/templates", { name: "T" });
    const logos = [{ id: foreign.id }, { id: deleted.id }, { id: "0".repeat(64) }];
    for (const logo of logos) {
      const style = { advanced: { logo } };
      const answers = await Promise.all([
        client.send("POST", "/qr", { ...item(1), ...style }),
        client.send("PATCH", `/qr/${id}`, style),
        session.send("POST", "/developer/templates", { name: "T", ...style }),
        session.send("PATCH", `/developer/templates/${template.id}`, style),
        session.send("POST", "/developer/scannability", style),
      ]);
      for (const answer of answers) expect(await refusal(answer)).toMatch(error);
    }
    const rows = [...logos.map((logo, i) => ({ ...item(i), advanced: { logo } })), item(3)];
    const job = await harness.run(client, await harness.json(client, rows));
    const refused = expect.stringMatching(error);
    expect(job.items.map((row) => row.error)).toEqual([refused, refused, refused, null]);
    for (const [method, suffix] of [
      ["GET", "/file"],
      ["PATCH", ""],
      ["DELETE", ""],
    ] as const) {
      const body = method === "PATCH" ? { name: "Mine" } : undefined;
      const answer = await session.send(method, `${path}/logos/${foreign.id}${suffix}`, body);
      expect(await refusal(answer, 404, "not_found")).toBe("Logo not found.");
    }
  });

  it("is looked up once for all rows of a bulk job", async () => {
    let lookups = 0;
    const db = wrapDatabase(env.DB, (work, sql) => {
      if (sql?.includes("UPDATE logos") === true) lookups += 1;
      return work();
    });
    const counting = harness.isolate({ db });
    const own = await counting.client(session.workspaceId);
    const ids = [(await add(1)).id, (await add(2)).id, "0".repeat(64)];
    const rows = Array.from({ length: 60 }, (_, i) => ({
      ...item(i),
      advanced: { logo: { id: ids[i % 3], size: 0.15 + i / 1000 } },
    }));
    const job = await harness.accepted(await harness.json(own, rows));
    expect([job.totalItems, lookups]).toEqual([60, 1]);
    await harness.drain();
    expect(await harness.read(client, job.jobId)).toMatchObject({ successCount: 40, failureCount: 20 });
  });
});
