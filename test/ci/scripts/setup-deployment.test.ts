import { describe, expect, it } from "vitest";
import { migrationNames } from "../../../scripts/lib/schema.ts";
import {
  cloudflare,
  deploy,
  expectInstalled,
  failure,
  install,
  installed,
  said,
  useAccount,
} from "../../e2e/support/installation/setup.ts";

useAccount();

describe("CPU limits", () => {
  it("are set for the images Worker alone, where the account is known to be on Workers Paid", async () => {
    await installed();
    const limits = () => Object.fromEntries(cloudflare.limits);
    const paid = { "qr-code-images": { cpu_ms: 20_000 }, "qr-code-management-service": undefined };
    expect(limits()).toEqual(paid);
    await deploy();
    expect(limits()).toEqual(paid);
    for (const plan of ["free", undefined] as const) {
      cloudflare.plan = plan;
      await deploy();
      expect(limits()).toEqual({ ...paid, "qr-code-images": undefined });
    }
  });

  it("are left out if Cloudflare refuses them after all", async () => {
    cloudflare.refusesLimits = true;
    await install();
    expect(cloudflare.limits.get("qr-code-images")).toBeUndefined();
    await expectInstalled();
  });
});

describe("migrations with triggers that D1 cuts apart", () => {
  const applied = () =>
    [...cloudflare.databases.values()].flatMap(({ sqlite }) =>
      sqlite.prepare("SELECT name FROM d1_migrations ORDER BY id").all(),
    );

  it("are imported, each with its row, and the others applied as ever", async () => {
    cloudflare.refusesTriggers = true;
    await install();
    expect(applied()).toEqual(migrationNames().map((name) => ({ name })));
    const imported = [...said().matchAll(/✓ (\S+\.sql) imported/g)].map(([, name]) => name);
    expect(imported).toEqual([
      "0001_triggers.sql",
      "0005_template_design.sql",
      "0023_bounds.sql",
      "0025_idempotency_bytes.sql",
      "0026_own_ids.sql",
      "0029_scan_query.sql",
      "0030_domains.sql",
      "0031_page_drafts.sql",
      "0034_page_image_uses.sql",
      "0038_publishable_addresses.sql",
      "0042_waiting_items.sql",
      "0043_alert_addresses.sql",
      "0044_scan_totals.sql",
    ]);
    await expectInstalled();
  });

  it("that can't be imported either leave nothing half done, and come with what to do", async () => {
    cloudflare.refusesTriggers = true;
    cloudflare.intercept = (line) =>
      line.endsWith("/import")
        ? { status: 400, code: 7500, message: "incomplete input: SQLITE_ERROR" }
        : undefined;
    const message = await failure();
    expect(message).toContain("D1 refused a statement. A migration is applied whole or not at all");
    expect(message).toContain("[code: 7500]");
    expect(applied()).toEqual([{ name: "0000_catalogue.sql" }]);
    cloudflare.intercept = () => undefined;
    await install();
    await expectInstalled();
  });
});
