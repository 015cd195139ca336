import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { logoRemoval } from "../../src/domain/logos/removal.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { expectError } from "../support/endpoints.ts";
import { dataUri, svg } from "../support/images/logos.ts";
import { FakeClock, Service } from "../support/service.ts";

const path = "/developer/templates";
const day = 86_400_000;

/** A different logo for each number. */
const logo = (n: number) => svg(`<rect width="${n}" height="1"/>`);

/** A workspace with a clock of its own. */
async function shop() {
  const clock = new FakeClock();
  const service = new Service({ now: clock.now });
  const client = await service.workspace();
  const { workspaceId } = client;
  return {
    clock,
    service,
    client,
    workspaceId,
    session: () => service.sessionIn(workspaceId),
    make: async (n: number): Promise<Template> =>
      (await service.sessionIn(workspaceId)).expect(201, Template, "POST", path, {
        name: "T",
        logo: dataUri(logo(n)),
      }),
    /** Sweeps once a day, as often as given. */
    sweepDaily: async (days: number) => {
      for (let i = 0; i < days; i += 1) {
        clock.advance(day);
        await sweep(service.deps);
      }
    },
    files: async () => {
      const { objects } = await env.FILES.list({ prefix: `logos/${workspaceId}/` });
      // The drawing of an SVG is beside it.
      return new Set(objects.map(({ key }) => key.replace(/\.drawing$/, ""))).size;
    },
    rows: () =>
      env.DB.prepare("SELECT count(*) AS n FROM logos WHERE workspace_id = ?").bind(workspaceId).first("n"),
  };
}

type Shop = Awaited<ReturnType<typeof shop>>;
const stored = async ({ files, rows }: Shop) => [await files(), await rows()];
/** Deletes a template, and erases it at once, as the sweep does after 30 days. */
const removeTemplate = async ({ session }: Shop, { id }: Template) => {
  expect((await (await session()).send("DELETE", `${path}/${id}`)).status).toBe(200);
  await env.DB.prepare("DELETE FROM templates WHERE id = ?").bind(id).run();
};

describe("the file of a logo", () => {
  it("is in R2 once for each workspace that has it, by its digest", async () => {
    const [one, other] = [await shop(), await shop()];
    await one.make(1);
    await one.make(1);
    await other.make(1);
    const [object] = (await env.FILES.list({ prefix: `logos/${one.workspaceId}/` })).objects;
    expect(await stored(one)).toEqual([1, 1]);
    expect(await stored(other)).toEqual([1, 1]);
    expect(object?.key).toMatch(/\/[0-9a-f]{64}$/);
    const file = await env.FILES.get(object?.key ?? "");
    expect(new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(logo(1));
  });

  it("is removed when nothing has used it for a day, not before", async () => {
    const own = await shop();
    const template = await own.make(1);
    const code = await own.client.createQr({ templateId: template.id });
    await own.sweepDaily(3);
    await removeTemplate(own, template);
    await own.sweepDaily(3);
    expect(await stored(own)).toEqual([1, 1]);
    await own.client.send("DELETE", `/qr/${code.id}`);
    own.clock.advance(27 * day);
    await own.sweepDaily(2);
    expect(await stored(own)).toEqual([1, 1]);
    // Erased on this day, found to be unused, and a day later unused still.
    await own.sweepDaily(3);
    expect(await stored(own)).toEqual([0, 0]);
  });

  it("stays for a day after an upload, and after its template has gone, for work that is in progress", async () => {
    const own = await shop();
    const template = await own.make(1);
    await removeTemplate(own, template);
    own.clock.advance(day - 1);
    await sweep(own.service.deps);
    expect(await stored(own)).toEqual([1, 1]);
    own.clock.advance(1);
    await sweep(own.service.deps);
    expect(await stored(own)).toEqual([0, 0]);

    const used = await own.make(2);
    await own.sweepDaily(1);
    own.clock.advance(day - 1);
    await removeTemplate(own, used);
    own.clock.advance(1);
    await sweep(own.service.deps);
    expect(await stored(own)).toEqual([1, 1]);
    await own.sweepDaily(1);
    expect(await stored(own)).toEqual([0, 0]);
  });

  it("is removed in steps", async () => {
    const own = await shop();
    const fill = env.DB.prepare(
      `INSERT INTO logos (workspace_id, id, media_type, size, bytes, created_at, checked_at, unused_since)
       WITH n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?2)
       SELECT ?1, value, 'image/png', '{}', 1, 0, 0, 0 FROM n`,
    );
    await fill.bind(own.workspaceId, logoRemoval.perSweep + 3).run();
    await sweep(own.service.deps);
    expect(await own.rows()).toBe(3);
    await own.sweepDaily(1);
    expect(await own.rows()).toBe(0);
  });

  it("is removed by a later sweep if the first was interrupted, and can't be saved in between", async () => {
    const own = await shop();
    await removeTemplate(own, await own.make(1));
    own.clock.advance(day);
    const failing = failingBucket("delete");
    await sweep({ ...own.service.deps, files: failing });
    expect(await stored(own)).toEqual([1, 1]);
    const again = async () => (await own.session()).send("POST", path, { name: "T", logo: dataUri(logo(1)) });
    expect(await expectError(await again(), 503, "internal")).toMatch(/^The logo can't be stored /);
    own.clock.advance(logoRemoval.interruptedMilliseconds - 1);
    await sweep(own.service.deps);
    expect(await stored(own)).toEqual([1, 1]);
    own.clock.advance(1);
    await sweep(own.service.deps);
    expect(await stored(own)).toEqual([0, 0]);
    expect((await again()).status).toBe(201);
    expect(await stored(own)).toEqual([1, 1]);
  });
});

/** The bucket with one method that fails. */
function failingBucket(method: keyof R2Bucket): R2Bucket {
  const fail = () => Promise.reject(new Error("R2 is away"));
  return new Proxy(env.FILES, {
    get: (target, name) =>
      name === method ? fail : (Reflect.get(target, name) as (...args: unknown[]) => unknown).bind(target),
  });
}

describe("while R2 fails", () => {
  it("an image with a logo is a 503 that says when to try again, and scans go on", async () => {
    const own = await shop();
    const template = await own.make(1);
    const code = await own.client.createQr({ templateId: template.id });
    const plain = await own.client.createQr();
    const away = new Service({ now: own.clock.now, files: failingBucket("get") });
    const headers = { authorization: `Bearer ${own.client.key}` };
    const session = await away.sessionIn(own.workspaceId);
    for (const response of [
      await away.fetch(`/api/v1/qr/${code.id}/image`, { headers }),
      await session.send("GET", `${path}/${template.id}/logo`),
      await away.fetch(`/${code.hash}.svg`),
    ]) {
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.has("etag")).toBe(false);
      expect(await response.json()).toEqual({
        code: "internal",
        error: "The logo of this image can't be read right now. Try again in a few seconds.",
      });
    }
    expect((await away.fetch(`/${plain.hash}.svg`)).status).toBe(200);
    expect((await away.scan(code.hash)).status).toBe(302);
  });

  it("a template with a logo is not saved", async () => {
    const own = await shop();
    const away = new Service({ now: own.clock.now, files: failingBucket("put") });
    const session = await away.sessionIn(own.workspaceId);
    const refused = await session.send("POST", path, { name: "T", logo: dataUri(logo(1)) });
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await expectError(refused, 503, "internal")).toMatch(/^The logo can't be stored /);
    const templates = env.DB.prepare("SELECT count(*) AS n FROM templates WHERE workspace_id = ?");
    expect(await templates.bind(own.workspaceId).first("n")).toBe(0);
    await own.make(1);
    expect(await stored(own)).toEqual([1, 1]);
  });
});
