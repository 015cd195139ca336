import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { readTable } from "../../src/lib/text/csv.ts";
import { goodItems } from "../support/bulk.ts";
import { fieldsOf, linksOf, pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
import { rasterise, readWithZxing } from "../support/images/decode.ts";
import { PrintHarness } from "../support/images/prints.ts";
import { emptyStorage } from "../support/runner/catalogue.ts";
import { phone } from "../support/service.ts";
import { creatable, validData } from "../support/types.ts";
import { forgetFeeds } from "../support/world/late-feeds.ts";
import { readZip } from "../support/zip.ts";

const harness = new PrintHarness();
const { service } = harness;
const images = "/dashboard/print/images";

const tableOf = (bytes: Uint8Array) => readTable(bytes, { maxColumns: 50, maxRecords: 1000 });

/** Downloads a file of the dashboard. */
async function download(me: SignedInBrowser, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await me.browser.open(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return new Uint8Array(await answer.arrayBuffer());
}

/** The codes of the dashboard's export, with all that is in them. */
async function exported(me: SignedInBrowser): Promise<Qr[]> {
  const list = await pageAt(me.browser, "/dashboard/codes");
  const path = linksOf(list, "menu-item").find((link) => link.includes("export.ndjson")) ?? "";
  const text = new TextDecoder().decode(await download(me, path));
  return text
    .trimEnd()
    .split("\n")
    .map((line) => Qr.parse(JSON.parse(line)));
}

/** The addresses in both exports of the dashboard, which are the same. */
async function addressesOf(me: SignedInBrowser): Promise<string[]> {
  const [header = [], ...rows] = tableOf(await download(me, "/dashboard/codes/export.csv?q="));
  const links = rows.map((cells) => cells[header.indexOf("Short link")] ?? "").sort();
  expect((await exported(me)).map(({ scanUrl }) => scanUrl).sort()).toEqual(links);
  return links;
}

/** Asks for the images of all codes as SVG. */
const downloadImages = async ({ browser }: SignedInBrowser): Promise<Response> =>
  browser.submit(images, {
    ...fieldsOf(await pageAt(browser, `${images}?all=on&q=`)),
    images: "svg",
    file: "zip",
  });

/** The addresses that are read in a ZIP's images. */
async function readImages(zip: Map<string, Uint8Array<ArrayBuffer>>): Promise<string[]> {
  const read: string[] = [];
  for (const [name, image] of zip) {
    if (name.endsWith(".svg")) read.push(...(await readWithZxing(await rasterise("svg", image, 400))));
  }
  return read.sort();
}

describe("on the Free plan", () => {
  it("all codes are exported, and their images downloaded at once", async () => {
    const me = await signedIn(service, "free");
    for (const i of [1, 2, 3]) {
      const made = { qrType: "url", "data.url": `example.com/${i}`, name: `Table ${i}` };
      expect((await me.browser.submit("/dashboard/codes/new", made)).status).toBe(303);
    }
    const addresses = await addressesOf(me);
    expect(addresses).toHaveLength(3);
    const zip = readZip(new Uint8Array(await (await downloadImages(me)).arrayBuffer()));
    expect([...zip.keys()].sort()).toEqual(["codes.csv", "table-1.svg", "table-2.svg", "table-3.svg"]);
    expect(await readImages(zip)).toEqual(addresses);
  });

  it("more codes than the plan allows are exported and downloaded, too, once a larger plan has ended", async () => {
    const me = await signedIn(service);
    const count = 120;
    await harness.run(me.client, await harness.json(me.client, goodItems(count)));
    const path = `/operator/workspaces/${me.client.workspaceId}/plan`;
    expect((await service.operator.send("PUT", path, { plan: "free" })).status).toBe(200);
    const addresses = await addressesOf(me);
    expect(addresses).toHaveLength(count);

    const begun = await downloadImages(me);
    expect(begun.status).toBe(303);
    await harness.printAll();
    const job = new URL(begun.headers.get("location") ?? "").pathname;
    const zip = readZip(await download(me, `${job}/file`));
    expect(zip.size).toBe(count + 1);
    expect(await readImages(zip)).toEqual(addresses);
  });
});

it("another installation that has the export and the same host answers what was printed", async () => {
  const me = await signedIn(service);
  for (const type of creatable) await me.client.createQr({ qrType: type, data: validData[type], name: type });
  await me.client.createQr({ status: "paused", hash: "out-of-season" });
  const answers = (codes: readonly Qr[]) =>
    Promise.all(
      codes.map(async ({ scanUrl }) => {
        const response = await harness.isolate().fetch(scanUrl, { headers: { "user-agent": phone } });
        return [scanUrl, response.status, response.headers.get("location"), await response.text()];
      }),
    );
  const codes = await exported(me);
  const before = await answers(codes);
  expect(new Set(before.map(([, status]) => status))).toEqual(new Set([404, 302, 200]));

  // Nothing is left of the first installation, neither its database nor what its isolates remember.
  await emptyStorage(env.DB, env.MIGRATIONS);
  forgetFeeds();
  harness.clock.advance(120_000);
  expect((await answers(codes)).map(([, status]) => status)).toEqual(codes.map(() => 404));

  const client = await harness.isolate().workspace();
  for (const { qrType, data, hash, status, name } of codes) {
    await client.createQr({ qrType, data, hash, status, name: name ?? "" });
  }
  harness.clock.advance(2000);
  expect(await answers(codes)).toEqual(before);
});
