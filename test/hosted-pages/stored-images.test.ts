import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { Page, PageImage } from "../../src/contract/resources/pages.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { fieldsOf, pageAt, signedIn } from "../support/dashboard.ts";
import { expectError } from "../support/endpoints.ts";
import { makePage, pageMaker, Shown } from "../support/hosted-pages.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";

const path = "/developer/page-images";
const day = 86_400_000;

/** The beginnings of files of each type. Browsers read the rest. */
const beginnings = {
  "image/png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  "image/jpeg": [0xff, 0xd8, 0xff, 0xe0],
  "image/gif": [..."GIF89a"].map((each) => each.charCodeAt(0)),
  "image/webp": [..."RIFF\0\0\0\0WEBPVP8 "].map((each) => each.charCodeAt(0)),
  "image/avif": [..."\0\0\0\x20ftypavif"].map((each) => each.charCodeAt(0)),
} as const;
type Type = keyof typeof beginnings;
const types = Object.keys(beginnings) as Type[];

/** A file of a type, different for each number. */
const file = (n: number, type: Type = "image/png", bytes = 64): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(bytes);
  all.set(beginnings[type]);
  all.set([n % 256, n >> 8], 32);
  return all;
};
const uri = (bytes: Uint8Array, type: string = "image/png") => `data:${type};base64,${bytes.toBase64()}`;

async function shop(overrides: ConstructorParameters<typeof Service>[0] = {}) {
  const clock = new FakeClock();
  const service = new Service({ now: clock.now, ...overrides });
  const maker = await pageMaker(service);
  const { workspaceId } = maker.client;
  // A session would end while days pass.
  const key = await keyOf(service, workspaceId);
  return {
    clock,
    service,
    maker,
    key,
    workspaceId,
    add: (n: number) => addTo(key, n),
    pass: (days: number) => pass(service, clock, days),
    stored: async () => [
      (await env.FILES.list({ prefix: `page-images/${workspaceId}/` })).objects.length,
      await env.DB.prepare("SELECT count(*) AS n FROM page_images WHERE workspace_id = ?")
        .bind(workspaceId)
        .first("n"),
    ],
  };
}

/** Lets days pass, and sweeps on some of them and on the last. */
async function pass(service: Service, clock: FakeClock, days: number): Promise<void> {
  for (let left = days; left > 0; ) {
    const step = Math.min(left, 10);
    clock.advance(step * day);
    await sweep(service.deps);
    left -= step;
  }
}

const keyOf = (service: Service, workspaceId: string): Promise<Client> =>
  service.client(workspaceId, ["pages:read", "pages:write"]);

const addTo = (key: Client, n: number): Promise<PageImage> =>
  key.expect(201, PageImage, "POST", path, { image: uri(file(n)) });

const withImage = ({ url }: PageImage) => ({ blocks: [{ type: "image", url, alt: "A fair" }] });

const sourcesOf = async (service: Service, page: Page) =>
  (await Shown.of(await service.fetch(page.url))).all("img").map(({ attributes }) => attributes.src ?? "");

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

describe("an image that is stored for hosted pages", () => {
  let common: Awaited<ReturnType<typeof shop>>;
  beforeAll(async () => {
    common = await shop();
  });

  it.each(types)("is shown by a page, as %s", async (type) => {
    const { service, maker, key } = common;
    const bytes = file(1, type);
    const image = await key.expect(201, PageImage, "POST", path, { image: uri(bytes, type) });
    expect(image).toMatchObject({ mediaType: type, bytes: bytes.length });
    const page = await makePage(maker, { ...withImage(image), header: { url: image.url } });
    expect([page.header?.url, page.blocks[0]]).toEqual([
      image.url,
      expect.objectContaining({ url: image.url }),
    ]);
    const sources = await sourcesOf(service, page);
    expect(sources).toHaveLength(2);
    for (const source of new Set(sources)) {
      expect(source).toMatch(new RegExp(`^/pages/${page.id}/images/[0-9a-f]{16}$`));
      const shown = await service.fetch(source);
      expect([shown.status, shown.headers.get("content-type")]).toEqual([200, type]);
      expect(shown.headers.get("x-content-type-options")).toBe("nosniff");
      expect(shown.headers.get("content-security-policy")).toMatch(/^default-src 'none'.*sandbox$/);
      expect(await bytesOf(shown)).toEqual(bytes);
    }
    // Visitors get it with the page only.
    expect((await service.fetch(image.url)).status).toBe(401);
    const own = await key.send("GET", `${path}/${image.id}`);
    expect([own.status, own.headers.get("content-type")]).toEqual([200, type]);
    expect(await bytesOf(own)).toEqual(bytes);
  });

  it("is stored once for each workspace", async () => {
    const [one, other] = [await shop(), await shop()];
    const first = await one.add(1);
    expect((await one.add(1)).url).toBe(first.url);
    await other.add(1);
    expect([await one.stored(), await other.stored()]).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it("belongs to its workspace: others can neither open nor use it", async () => {
    const [one, other] = [await shop(), await shop()];
    const image = await one.add(1);
    await expectError(await other.key.send("GET", `${path}/${image.id}`), 404, "not_found");
    const input = { title: "Theirs", ...withImage(image) };
    const refused = await other.key.send("POST", "/developer/pages", input);
    expect(await refused.json()).toMatchObject({
      error: expect.stringContaining("blocks.0.url isn't an image"),
    });
    expect(refused.status).toBe(400);
  });

  it("is closed with its page", async () => {
    const { service, maker, add } = await shop();
    const page = await makePage(maker, withImage(await add(1)));
    const [source = ""] = await sourcesOf(service, page);
    await service.operator.send("PUT", `/operator/pages/${page.id}/suspension`, { reason: "A test" });
    expect((await service.fetch(source)).headers.get("content-type")).not.toBe("image/png");
  });

  it.each([
    [
      "another type of file",
      uri(new TextEncoder().encode("<svg/>")),
      "must be a PNG, JPEG, GIF, WebP or AVIF",
    ],
    ["an SVG", uri(new TextEncoder().encode("<svg/>"), "image/svg+xml"), "must be a data URI"],
    ["a file of another type than it says", uri(file(1), "image/gif"), "its media type says"],
    ["no base64", "data:image/png;base64,!", "must be encoded in base64"],
    ["too large a file", uri(file(1, "image/png", limits.storedImage.bytes + 1)), "at most 700 KiB"],
  ])("can't be %s", async (_, image, problem) => {
    const { stored, key } = common;
    const before = await stored();
    const refused = await key.send("POST", path, { image });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(problem)]);
    expect(await stored()).toEqual(before);
  });

  it("has room up to the workspace's limits, and after that for what is stored already", async () => {
    const { add, workspaceId, stored, key } = await shop();
    await add(1);
    const all = "UPDATE page_images SET bytes = ? WHERE workspace_id = ?";
    await env.DB.prepare(all)
      .bind(limits.storedImage.all - 64, workspaceId)
      .run();
    await add(2);
    const refused = await key.send("POST", path, { image: uri(file(3)) });
    expect(await refused.text()).toContain("at most 1000 images of pages, of at most 100 MiB together");
    await add(1);
    expect(await stored()).toEqual([2, 2]);
  });

  it("needs a plan with pages, the right to write, a bucket, and a workspace that isn't suspended", async () => {
    const image = uri(file(1));
    const service = new Service();
    const free = await service.sessionIn((await service.workspace("free")).workspaceId);
    await expectError(await free.send("POST", path, { image }), 402, "plan_limit");
    const { client } = await pageMaker(service);
    const viewer = await service.sessionIn(client.workspaceId, "viewer");
    const owner = await service.sessionIn(client.workspaceId);
    await expectError(await viewer.send("POST", path, { image }), 403, "forbidden");
    const bare = await pageMaker(new Service({ files: undefined }));
    const without = await bare.session.send("POST", path, { image });
    expect([without.status, await without.text()]).toEqual([
      503,
      expect.stringContaining("Give the address"),
    ]);
    await service.operator.send("PUT", `/operator/workspaces/${client.workspaceId}/suspension`, {
      reason: "A test",
    });
    await expectError(await owner.send("POST", path, { image }), 403, "forbidden");
  });

  it("isn't promised if its file can't be stored, and can be added again", async () => {
    const { workspaceId } = (await pageMaker(new Service())).client;
    const put = () => Promise.reject(new Error("refused"));
    const refusing = new Proxy(env.FILES, {
      get: (bucket, name) => (name === "put" ? put : Reflect.get(bucket, name).bind(bucket)),
    });
    const broken = await new Service({ files: refusing }).sessionIn(workspaceId);
    const refused = await broken.send("POST", path, { image: uri(file(1)) });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    const client = await new Service().sessionIn(workspaceId);
    const image = await client.expect(201, PageImage, "POST", path, { image: uri(file(1)) });
    expect((await client.send("GET", `${path}/${image.id}`)).status).toBe(200);
  });
});

describe("a stored image is removed", () => {
  it("30 days after no page shows it, not before", async () => {
    const { maker, add, pass, stored, key } = await shop();
    const page = await makePage(maker, withImage(await add(1)));
    await pass(65);
    expect(await stored()).toEqual([1, 1]);
    await key.send("PATCH", `/developer/pages/${page.id}`, { blocks: [] });
    await pass(29);
    expect(await stored()).toEqual([1, 1]);
    await pass(2);
    expect(await stored()).toEqual([0, 0]);
  });

  it("with a deleted page only once that is erased", async () => {
    const { maker, service, add, pass, stored, key } = await shop();
    const image = await add(1);
    const page = await makePage(maker, { header: { url: image.url } });
    await pass(29);
    await key.send("DELETE", `/developer/pages/${page.id}`);
    await pass(29);
    expect(await stored()).toEqual([1, 1]);
    await key.expect(200, Page, "POST", `/developer/pages/${page.id}/restore`);
    const [source = ""] = await sourcesOf(service, page);
    expect((await service.fetch(source)).status).toBe(200);
    await key.send("DELETE", `/developer/pages/${page.id}`);
    await pass(62);
    expect(await stored()).toEqual([0, 0]);
  });

  it("never while a draft shows it", async () => {
    const clock = new FakeClock();
    const service = new Service({ now: clock.now });
    const me = await signedIn(service);
    const maker = { client: me.client, session: await service.sessionIn(me.client.workspaceId) };
    const key = await keyOf(service, me.client.workspaceId);
    const image = await addTo(key, 1);
    const page = await makePage(maker);
    const edit = `/dashboard/pages/${page.id}/edit`;
    const fields = fieldsOf(await pageAt(me.browser, edit));
    await me.browser.submit(edit, { ...fields, "header.url": image.url, save: "draft" });
    await pass(service, clock, 65);
    expect((await key.send("GET", `${path}/${image.id}`)).status).toBe(200);
  });

  it("so that a page can't refer to it any more, or have it put back, until it is added again", async () => {
    const { maker, add, pass, key, service, workspaceId } = await shop();
    const input = withImage(await add(1));
    const page = await makePage(maker, input);
    const change = () => key.send("PATCH", `/developer/pages/${page.id}`, input);
    await key.send("PATCH", `/developer/pages/${page.id}`, { blocks: [] });
    await pass(31);
    const owner = await service.sessionIn(workspaceId);
    const { items } = await owner.expect(200, HistoryList, "GET", `/developer/history?object=${page.id}`);
    const undo = () => owner.send("POST", `/developer/history/${items[0]?.id}/revert`);
    for (const refused of [await change(), await undo()]) {
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringContaining("blocks.0.url isn't an image of this workspace any more. Upload it again."),
      ]);
    }
    await add(1);
    expect([(await undo()).status, (await change()).status]).toEqual([200, 200]);
  });

  it("on a later sweep, if its file can't be deleted; until then it can't be added again", async () => {
    let isBroken = true;
    const refuse = () => Promise.reject(new Error("refused"));
    const files = new Proxy(env.FILES, {
      get: (bucket, name) =>
        name === "delete" && isBroken ? refuse : Reflect.get(bucket, name).bind(bucket),
    });
    const { add, pass, stored, key } = await shop({ files });
    await add(1);
    await pass(31);
    expect(await stored()).toEqual([1, 1]);
    expect((await key.send("POST", path, { image: uri(file(1)) })).status).toBe(503);
    isBroken = false;
    await pass(1);
    expect(await stored()).toEqual([0, 0]);
    await add(1);
    expect(await stored()).toEqual([1, 1]);
  });
});
