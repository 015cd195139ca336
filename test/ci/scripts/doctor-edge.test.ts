import { describe, expect, it } from "vitest";
import { examine, mends, useDoctor } from "../../e2e/support/installation/doctor.ts";
import { changeDomains, cloudflare, deploy, installed } from "../../e2e/support/installation/setup.ts";

useDoctor();

const service = "qr-code-management-service";
const edge = "qr-code-edge";

/** Replaces bindings of the deployed Worker for scans; undefined takes one away. */
const replaceBinding = (name: string, change: object | undefined) =>
  cloudflare.scripts.set(
    edge,
    (cloudflare.scripts.get(edge) ?? []).flatMap((each) => {
      if (each.name !== name) return [each];
      return change === undefined ? [] : [{ ...each, ...change }];
    }),
  );

describe("npm run doctor, with a Worker for scans", () => {
  it("finds nothing wrong with a healthy installation", async () => {
    await installed();
    const { report, wrong } = await examine(["--all"]);
    expect(wrong).toEqual([]);
    expect(report).toContain(`✓ Worker for scans: ${edge} is deployed, as version `);
    expect(report).toContain("✓ domain qr.example.com: It points to the Worker for scans.");
    expect(report).toContain("✓ domain app.example.com: It points to the Worker.");
  });

  it.each([
    ["it is gone", () => cloudflare.scripts.delete(edge), "✗ Worker for scans: qr-code-edge isn't deployed."],
    [
      "a deployment stopped before it",
      () => replaceBinding("VERSION", { text: "1.0.0" }),
      "! Worker for scans: It has another version or other settings than this checkout: VERSION.",
    ],
    [
      "it has other settings",
      () => replaceBinding("SCAN_ORIGIN", { text: "https://go.example.com" }),
      "! Worker for scans: It has another version or other settings than this checkout: SCAN_ORIGIN.",
    ],
    [
      "a binding is missing",
      () => replaceBinding("SCANS", undefined),
      "✗ bindings of the Worker for scans: The Worker for scans lacks SCANS.",
    ],
    [
      "it hands on to something else",
      () => replaceBinding("MAIN", { service: "shop" }),
      "✗ bindings of the Worker for scans: Elsewhere than the installation's file says: MAIN.",
    ],
    [
      "it has another secret",
      () => replaceBinding("VISITOR_SECRET", { name: "VISITOR_SECRET_202611231205" }),
      "✗ secret of the Worker for scans: It lacks the service's VISITOR_SECRET, so that a visitor can count as two.",
    ],
    [
      "a host leads to the service",
      () => cloudflare.domains.set("qr.example.com", service),
      "! domain qr.example.com: It points to the service itself and not to its Worker for scans.",
    ],
  ])("finds that %s, and a deployment mends it", async (_, plant, finding) => {
    await installed();
    plant();
    const { report, wrong } = await examine();
    expect(wrong).toContain(finding);
    expect(report).toContain(`\n    ${mends.deploy}\n`);
    cloudflare.scripts.set("shop", []);
    await deploy();
    expect((await examine()).wrong).toEqual([]);
  });

  it("finds hosts that were left at it", async () => {
    await installed();
    await changeDomains(["to-main"]);
    cloudflare.domains.set("qr.example.com", edge);
    const { report, wrong } = await examine();
    expect(wrong).toEqual([
      "! domain qr.example.com: It points to a Worker for scans, which deployments don't bring up to date.",
    ]);
    expect(report).toContain("npm run domains -- to-main --prefix qr");
  });
});
