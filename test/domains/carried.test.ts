import { describe, expect, it } from "vitest";
import { OperatorDomain } from "../../src/contract/resources/domains.ts";
import { ImageJobInput } from "../../src/contract/resources/images/prints.ts";
import { rasterise, readWithZxing } from "../support/images/decode.ts";
import { SlicedPrintHarness } from "../support/images/prints.ts";
import { type Client, emittedEvents } from "../support/service.ts";

const harness = new SlicedPrintHarness();
const { service } = harness;
async function withDomain(host: string): Promise<Client> {
  const client = await service.workspace();
  await service.operator.expect(200, OperatorDomain, "PUT", `/operator/domains/${host}`, {
    workspaceId: client.workspaceId,
  });
  return client;
}

const read = async (bytes: Uint8Array<ArrayBuffer>): Promise<string[]> =>
  readWithZxing(await rasterise("svg", bytes, 400));
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

describe("what carries a code's own address", () => {
  it("its images, prints, tables, exports and events", async () => {
    const host = "one.acme.example";
    const client = await withDomain(host);
    const qr = await client.createQr({ name: "Menu", domain: host });
    const link = qr.scanUrl;
    expect(new URL(link).hostname).toBe(host);
    expect(await read(await bytesOf(await client.send("GET", `/qr/${qr.id}/image`)))).toEqual([link]);
    expect(await read(await bytesOf(await service.fetch(`/${qr.hash}.svg`)))).toEqual([link]);
    expect(await read(await bytesOf(await service.fetch(`https://${host}/${qr.hash}.svg`)))).toEqual([link]);

    const job = await harness.start(client, "images", ImageJobInput.parse({ filter: {}, format: "svg" }));
    await harness.printAll();
    const { files, rows } = await harness.archive(client, job);
    expect(rows.map(([, scanUrl]) => scanUrl)).toEqual([link]);
    for (const [, svg] of files) expect(await read(Uint8Array.from(svg))).toEqual([link]);

    expect(await (await client.send("GET", "/qr/export")).text()).toContain(link);
    expect(await (await client.send("GET", "/qr/export?format=ndjson")).text()).toContain(link);
    const [created] = emittedEvents().filter(({ data }) => data.id === qr.id);
    expect(created?.data).toMatchObject({ scanUrl: link, domain: host, aliases: [] });
  });

  it("has the scan origin's again, in all of them, once the domain has gone", async () => {
    const host = "two.acme.example";
    const client = await withDomain(host);
    const qr = await client.createQr({ domain: host });
    await service.operator.send("DELETE", `/operator/domains/${host}`);
    const link = `${service.deps.settings.scanOrigin}/${qr.hash}`;
    expect(await read(await bytesOf(await service.fetch(`/${qr.hash}.svg`)))).toEqual([link]);
    expect(await (await client.send("GET", "/qr/export")).text()).toContain(link);
  });
});
