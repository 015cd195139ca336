import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { limits } from "../src/contract/limits.ts";
import { BrandLogo } from "../src/contract/resources/images/brand.ts";
import { Template } from "../src/contract/resources/images/templates.ts";
import type { WorkspaceLedger } from "../src/objects/ledger/workspace-ledger.ts";
import { bounds } from "../src/protocol/bounds.ts";
import { sweep } from "../src/scheduled/sweep.ts";
import { fieldsOf, pageAt, signedIn } from "./support/dashboard.ts";
import { expectError } from "./support/endpoints.ts";
import { dataUri, svg } from "./support/images/logos.ts";
import { PrintHarness } from "./support/images/prints.ts";
import { visitor } from "./support/scans/analytics.ts";
import { resize, rowsOf, runAlarms } from "./support/scans/archives.ts";
import { packed, scanRecord } from "./support/scans/scans.ts";
import { FakeClock, Service } from "./support/service.ts";

const day = 86_400_000;
const templates = "/developer/templates";
const brand = "/developer/brand/logos";

/** A logo with a file of about this many bytes. */
const logoOf = (bytes: number, n = 0) => svg(`<!--${n}${"x".repeat(bytes)}--><rect width="1" height="1"/>`);

/** An installation without a bucket, and one on the same stores that has one. */
function installations() {
  const clock = new FakeClock();
  return {
    clock,
    bare: new Service({ now: clock.now, files: undefined }),
    whole: new Service({ now: clock.now }),
  };
}

const filesOf = (workspaceId: string) =>
  env.DB.prepare("SELECT count(*) AS n FROM logo_files WHERE workspace_id = ?").bind(workspaceId).first("n");

describe("without a bucket, a logo", () => {
  it("is in the catalogue, and drawn as with one", async () => {
    const { bare, whole } = installations();
    const session = await bare.session();
    const { workspaceId } = session;
    const uri = dataUri(svg('<circle r="40"/>'));
    const { id, logo } = await session.expect(201, Template, "POST", templates, { name: "T", logo: uri });
    const file = await session.send("GET", `${templates}/${id}/logo`);
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(svg('<circle r="40"/>'));
    expect(logo?.mediaType).toBe("image/svg+xml");
    expect(await filesOf(workspaceId)).toBe(1);
    expect((await env.FILES.list({ prefix: `logos/${workspaceId}/` })).objects).toEqual([]);

    const own = await bare.client(workspaceId);
    const { id: code, hash } = await own.createQr({ templateId: id });
    const image = async (service: Service) => (await service.fetch(`/${hash}.svg`)).text();
    expect(await image(bare)).toContain("data:image/svg+xml;base64,");
    // Once there is a bucket, earlier logos stay where they are.
    expect(await image(whole)).toBe(await image(bare));
    expect((await own.send("GET", `/qr/${code}/image?format=png`)).status).toBe(200);
  });

  it("is removed when nothing has used it for a day, by an installation with a bucket too", async () => {
    for (const which of ["bare", "whole"] as const) {
      const { clock, ...services } = installations();
      const session = await services.bare.session();
      const logo = dataUri(svg("<g/>"));
      const { id } = await session.expect(201, Template, "POST", templates, { name: "T", logo });
      await session.send("DELETE", `${templates}/${id}`);
      // As the sweep does after 30 days.
      await env.DB.prepare("DELETE FROM templates WHERE id = ?").bind(id).run();
      clock.advance(day);
      await sweep(services[which].deps);
      expect(await filesOf(session.workspaceId)).toBe(0);
    }
  });

  it("can have 64 KiB, and all of a workspace 2 MiB", async () => {
    const { bare, whole } = installations();
    const session = await bare.session();
    const add = (bytes: number, n = 0) =>
      session.send("POST", brand, { name: `Logo ${n}`, logo: dataUri(logoOf(bytes, n)) });
    const large = await add(limits.logoInCatalogue.bytes);
    expect(await expectError(large, 400, "invalid_input")).toMatch(
      /^logo can have at most 64 KiB, because file storage \(R2\) isn't set up here\. This one has \d+ bytes\.$/,
    );
    expect(await filesOf(session.workspaceId)).toBe(0);
    const fitting = Math.floor(limits.logoInCatalogue.all / 65_000);
    expect((await add(64_900)).status).toBe(201);
    const copies = "json_each(?2) WHERE workspace_id = ?1";
    const copied = [
      `INSERT INTO logos (workspace_id, id, media_type, bytes, size, created_at, checked_at)
       SELECT workspace_id, key, media_type, bytes, size, created_at, checked_at FROM logos, ${copies}`,
      `INSERT INTO logo_files (workspace_id, id, bytes) SELECT workspace_id, key, bytes FROM logo_files, ${copies}`,
    ];
    const numbers = JSON.stringify(Array(fitting - 2).fill(0));
    await env.DB.batch(copied.map((sql) => env.DB.prepare(sql).bind(session.workspaceId, numbers)));
    expect((await add(64_900, fitting - 1)).status).toBe(201);
    expect(await expectError(await add(64_900, fitting), 400, "invalid_input")).toBe(
      "logo can't be added: all logos of a workspace can have at most 2 MiB, because file storage (R2) isn't set up here. Delete one first.",
    );
    expect(await filesOf(session.workspaceId)).toBe(fitting);
    // One that is stored already takes no more room.
    expect((await add(64_900, 0)).status).toBe(201);
    const later = await whole.sessionIn(session.workspaceId);
    const logo = dataUri(logoOf(200_000));
    expect(await later.expect(201, BrandLogo, "POST", brand, { name: "Large", logo })).toMatchObject({
      name: "Large",
    });
  });

  it("is announced with its limit by the form", async () => {
    const { browser } = await signedIn(installations().bare);
    expect(await pageAt(browser, "/dashboard/settings/brand")).toContain("At most 64 KiB.");
    expect(await pageAt(browser, "/dashboard/templates/new")).toContain("At most 64 KiB.");
  });
});

describe("without a bucket, prints", () => {
  it("of more than 100 codes are not offered, and the page says why", async () => {
    const harness = new PrintHarness();
    const client = await harness.workspaceWith(101);
    const bare = harness.isolate({ files: undefined });
    const { browser } = await signedIn(bare);
    const session = await bare.sessionIn(client.workspaceId);
    browser.cookies.set("session", session.cookie.replace("session=", ""));
    for (const path of ["/dashboard/print", "/dashboard/print/images"]) {
      const page = await pageAt(browser, `${path}?all=1`);
      expect(page).toContain("You selected 101 codes. More than 100 at once need file storage (R2), which");
      expect(fieldsOf(page)).not.toEqual({});
      expect(page).not.toMatch(/name="file"/);
      expect(await pageAt(browser, `${path}?q=Item+10&all=1`)).toMatch(/name="file"/);
    }
  });

  it("that were made with one can't be downloaded, and stay until it is back", async () => {
    const harness = new PrintHarness();
    const client = await harness.workspaceWith(2);
    const job = await harness.start(client, "images", { filter: {} });
    const other = await harness.start(client, "images", { filter: {} });
    await harness.printSlices();
    const bare = harness.isolate({ files: undefined });
    const own = await bare.client(client.workspaceId);
    for (let hours = 0; harness.prints.length > 0; hours += 1) {
      await harness.printSlices(bare);
      harness.clock.advance(3_600_000);
      expect(hours).toBeLessThan(30);
    }
    expect(await harness.job(own, job)).toMatchObject({
      status: "failed",
      error: "File storage (R2) isn't set up here any more, so the job couldn't finish.",
    });
    expect(await harness.job(own, other)).toMatchObject({ status: "failed" });
    await sweep(bare.deps);
    expect(await harness.job(own, other)).toMatchObject({ status: "failed" });
  });
});

describe("without a bucket, scans", () => {
  const now = Date.UTC(2100, 6, 1);
  const old = now - 500 * day;

  /** A workspace with scans older than thirteen months, and its ledger with or without a bucket. */
  async function shop(files: R2Bucket | undefined) {
    const service = new Service({ now: () => now, files });
    const client = await service.workspace();
    const { id: qrId, hash } = await client.createQr();
    const stub = env.LEDGERS.get(
      env.LEDGERS.idFromName(client.workspaceId),
    ) as DurableObjectStub<WorkspaceLedger>;
    await runInDurableObject(stub, (ledger) => void Object.assign(ledger, { env: { ...env, FILES: files } }));
    const { workspaceId } = client;
    const scans = Array.from({ length: 700 }, (_, i) =>
      scanRecord({ workspaceId, qrId, hash, at: old + i * 1000, visitor: visitor(i) }),
    );
    await stub.recordScans(packed(...scans), now);
    await runAlarms(stub, now);
    return { service, client, stub };
  }

  it("stay in the ledger, whose alarm doesn't try to move them, and are exported from there", async () => {
    const { client, stub } = await shop(undefined);
    await resize(stub, bounds.ledger.high);
    await stub.changeReporting({}, now);
    await runAlarms(stub, now + 2 * day);
    expect(await rowsOf(stub, "scans")).toBe(700);
    const text = await (await client.send("GET", "/scans/export?format=ndjson")).text();
    expect(text.trim().split("\n")).toHaveLength(700);
    expect((await stub.storage()).archive).toMatchObject({ files: 0, failingSince: null });
  });

  it("that were archived are needed by an export, which says so before it begins", async () => {
    const { client, stub } = await shop(env.FILES);
    expect(await rowsOf(stub, "scans")).toBe(500);
    const bare = await new Service({ now: () => now, files: undefined }).client(client.workspaceId);
    expect(await expectError(await bare.send("GET", "/scans/export"), 503, "internal")).toBe(
      "Exports of archived scans need file storage (R2), which isn't set up here. Export a later range of days.",
    );
    const later = await bare.send(
      "GET",
      `/scans/export?from=${new Date(now - day).toISOString().slice(0, 10)}`,
    );
    expect(later.status).toBe(200);
    await later.text();
  });
});

it("without a bucket, the sweep and the operator's readiness find nothing wrong", async () => {
  const bare = new Service({ files: undefined, printQueue: env.PRINTS, deliveryQueue: env.DELIVERIES });
  await sweep(bare.deps);
  expect((await bare.operator.send("GET", "/operator/readiness")).status).toBe(200);
});
