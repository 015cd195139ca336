import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { buildDeps, type DepsOverrides } from "../../../src/composition.ts";
import type { Deps } from "../../../src/domain/deps.ts";
import type { Browser } from "../../support/browser.ts";
import { answeredBy, fieldsOf, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { measurementOf, Service } from "../../support/service.ts";

/** The images Worker, which counts what it measures and draws. */
class CountedImages {
  readonly #share: number;
  readonly #draws: boolean;
  measured = 0;
  drawn = 0;
  readonly images: NonNullable<Deps["images"]> = {
    png: (...args) => env.IMAGES.png(...args),
    checkLogo: (...args) => env.IMAGES.checkLogo(...args),
    readSvg: (...args) => env.IMAGES.readSvg(...args),
    pdf: (...args) => env.IMAGES.pdf(...args),
    measure: async (drawings) => {
      this.measured += 1;
      return measurementOf(drawings.length, this.#share);
    },
    disturbed: async (...args) => {
      this.drawn += 1;
      return this.#draws ? env.IMAGES.disturbed(...args) : new Uint8Array(1);
    },
  };

  /** @param draws whether it draws pictures, which takes long, or only answers */
  constructor(share: number, draws = false) {
    this.#share = share;
    this.#draws = draws;
  }
}

const { drawings } = buildDeps(env);
const counted = new CountedImages(2 / 3, true);
let me: SignedInBrowser;
let id: string;

beforeAll(async () => {
  me = await signedIn(new Service({ images: counted.images, drawings }));
  ({ id } = await me.client.createQr({ name: "Menu" }));
});

/** The browser, which an isolate with these images answers. */
const servedBy = (overrides: DepsOverrides) => answeredBy(new Service(overrides), me.browser);
const strip = (browser: Browser, code: string) => pageAt(browser, `/dashboard/codes/${code}/proof/strip`);

/** The address of the pictures in a strip, of which it has eight. */
function picturesIn(part: string): string {
  const sources = [...part.matchAll(/<img src="([^"]+)"/g)].map(([, source]) => source);
  expect([sources.length, new Set(sources).size]).toEqual([8, 1]);
  return (sources[0] ?? "").replaceAll("&amp;", "&");
}

describe("the proof of a code", () => {
  it("has each picture with its result, and is measured when it is seen", async () => {
    const page = await pageAt(me.browser, `/dashboard/codes/${id}`);
    expect(page).toContain(`hx-get="/dashboard/codes/${id}/proof/strip" hx-trigger="revealed"`);
    expect(page).toMatch(
      new RegExp(`<noscript><p class="small"><a href="/dashboard/codes/${id}/proof">Measure`),
    );
    expect(counted.measured).toBe(0);
    const part = await strip(me.browser, id);
    expect(part).not.toContain("<html");
    // Of four addresses, two of the three pictures of each disturbance, and not that of its full strength.
    expect(part).toContain("Proof: 67 of 100");
    expect(part.match(/Not read\.<\/span> 8 of 12</g)).toHaveLength(8);
    expect(part).toContain(`href="/dashboard/codes/${id}/proof.pdf"`);
    const whole = await pageAt(me.browser, `/dashboard/codes/${id}/proof`);
    expect(whole).toContain("Proof: 67 of 100");
    expect(whole).toContain("Smallest in print");
    expect(counted.measured).toBe(4);
  });

  it("for the printer has signs for characters that the font lacks, and a line that says for which", async () => {
    const documents: Parameters<typeof env.IMAGES.pdf>[0][] = [];
    const images: NonNullable<Deps["images"]> = {
      ...new CountedImages(1).images,
      pdf: async (document) => {
        documents.push(document);
        return new Uint8Array(1);
      },
    };
    for (const name of ["Menu", "菜单", "Menu 🍜"]) {
      const code = await me.client.createQr({ name, data: { type: "url", url: "https://example.com/" } });
      const browser = servedBy({ images, drawings });
      expect((await browser.open(`/dashboard/codes/${code.id}/proof.pdf`)).status).toBe(200);
    }
    const lines = documents.map(({ pages: [page] }) => page?.texts.length ?? 0);
    const [whole = 0] = lines;
    expect(lines).toEqual([whole, whole + 1, whole + 1]);
  });

  it("has pictures that are drawn once, and kept by browsers under an address of their own", async () => {
    const address = picturesIn(await strip(me.browser, id));
    for (const [path, kept] of [
      [address, "private, max-age=31536000, immutable"],
      [address.replace(/=.*/, "=other"), "no-store"],
    ] as const) {
      const answer = await me.browser.open(path);
      expect([answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
        "image/png",
        kept,
      ]);
      const png = new DataView(await answer.arrayBuffer());
      expect([png.getUint32(16), png.getUint32(20)]).toEqual([8 * 208, 200]);
    }
    expect([counted.measured, counted.drawn]).toEqual([4, 1]);
  });

  it("is shown to the workspace alone, and not of a deleted code", async () => {
    const other = await signedIn(new Service({ images: counted.images, drawings }));
    for (const path of ["proof", "proof/strip", "proof.png", "proof.pdf"]) {
      expect([path, (await other.browser.open(`/dashboard/codes/${id}/${path}`)).status]).toEqual([
        path,
        404,
      ]);
    }
    const deleted = await me.client.createQr();
    await me.client.send("DELETE", `/qr/${deleted.id}`);
    for (const [path, status] of [
      ["proof", 410],
      ["proof.pdf", 410],
      ["proof/strip", 404],
    ] as const) {
      const answer = await me.browser.open(`/dashboard/codes/${deleted.id}/${path}`);
      expect([path, answer.status]).toEqual([path, status]);
    }
  });

  it("follows later where too many were measured, and says where there is none", async () => {
    const limit = async () => ({ success: false });
    const { images } = new CountedImages(1);
    const later = await strip(servedBy({ images, measurementLimit: { limit } }), id);
    expect(later).toContain("follow shortly");
    expect(later).toContain(`hx-get="/dashboard/codes/${id}/proof/strip" hx-trigger="load delay:15s"`);
    const without = servedBy({ images: undefined });
    expect(await strip(without, id)).toContain("aren&#39;t available here");
    expect(await pageAt(without, `/dashboard/codes/${id}/proof`)).toContain("aren&#39;t available here");
    expect(await pageAt(without, `/dashboard/codes/${id}/proof.pdf`, 503)).toContain("images Worker");
  });

  it("is not available where the images Worker is of an older release", async () => {
    const { images } = new CountedImages(1);
    const measure: typeof images.measure = async (readables) => {
      const { verdicts: _, decoder: __, ...older } = measurementOf(readables.length, 1);
      return older;
    };
    expect(await strip(servedBy({ images: { ...images, measure } }), id)).toContain(
      "aren&#39;t available here",
    );
  });
});

describe("the proof of a design in the form", () => {
  it("shows the measurement of its score, and creating the code measures nothing more", async () => {
    const own = new CountedImages(1);
    const browser = servedBy({ images: own.images, drawings });
    const design = { "advanced.modules": "rounded", "advanced.quietZone": "5" };
    const fields = new URLSearchParams(design);
    await pageAt(browser, `/dashboard/codes/score?${fields}`);
    expect(own.measured).toBe(4);
    const part = await pageAt(browser, `/dashboard/codes/proof?${fields}`);
    expect(part).toContain("Proof: 100 of 100");
    const answer = await browser.open(picturesIn(part));
    expect(answer.headers.get("cache-control")).toContain("immutable");
    const form = fieldsOf(await pageAt(browser, "/dashboard/codes/new"));
    const created = await browser.submit("/dashboard/codes/new", {
      ...form,
      ...design,
      "data.url": "example.com",
    });
    expect(created.status).toBe(303);
    const code = /codes\/([0-9a-f-]{36})/.exec(created.headers.get("location") ?? "")?.[1] ?? "";
    expect(await strip(browser, code)).toContain("Proof: 100 of 100");
    expect([own.measured, own.drawn]).toEqual([4, 1]);
  });

  it("says why there is none for a design that can't be scanned", async () => {
    const part = await pageAt(me.browser, "/dashboard/codes/proof?colorConfig.dotsColor=%23eeeeee");
    expect(part).toContain("can&#39;t be scanned");
  });
});

describe("the proof of a template in its form", () => {
  it("shows the measurement of its score", async () => {
    const own = new CountedImages(1);
    const browser = servedBy({ images: own.images, drawings });
    const design = { "advanced.modules": "dots" };
    const fields = new URLSearchParams(design);
    await browser.upload("/dashboard/templates/score", design);
    const part = await pageAt(browser, `/dashboard/templates/proof?${fields}`);
    expect(part).toContain("Proof: 100 of 100");
    expect(part).not.toContain("<html");
    const plain = await pageAt(browser, "/dashboard/templates/proof");
    expect(picturesIn(plain)).not.toBe(picturesIn(part));
    // The plain design was measured before.
    expect(own.measured).toBe(4);
    const answer = await browser.open(picturesIn(part));
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(answer.headers.get("cache-control")).toContain("immutable");
    expect([own.measured, own.drawn]).toEqual([4, 1]);
  });

  it("has no pictures of a logo that isn't stored", async () => {
    const part = await pageAt(me.browser, "/dashboard/templates/proof?logo=mark.svg");
    expect(part).toContain("once the new logo is saved");
  });
});
