import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { advices, permissions } from "../../../scripts/lib/installation/advice.ts";
import { parseSetupOptions } from "../../../scripts/setup/options.ts";
import { accountId } from "../../e2e/support/installation/cloudflare.ts";
import type { Refusal } from "../../e2e/support/installation/cloudflare-answers.ts";
import {
  bindingOf,
  cloudflare,
  complete,
  expectInstalled,
  failure,
  folder,
  install,
  installed,
  renewAccount,
  useAccount,
} from "../../e2e/support/installation/setup.ts";
import { runs, sample } from "../../support/runner/runs.ts";

useAccount();

describe("npm run setup refuses before it creates anything", () => {
  const cases: [string, () => void, string[], string[]][] = [
    [
      "a workers.dev host to print",
      () => {},
      ["--yes", "--scan-domain", "qr.harbour.workers.dev"],
      ["--workers-dev"],
    ],
    [
      "a domain that isn't in the account",
      () => {},
      ["--yes", "--scan-domain", "qr.example.net", "--app-domain", "app.example.com"],
      ["isn't in a domain of this account (example.com)", `dash.cloudflare.com/${accountId}/add-site`],
    ],
    [
      "a domain that isn't active",
      () => cloudflare.zones.push({ id: "a".repeat(32), name: "new.example", status: "pending" }),
      ["--yes", "--scan-domain", "qr.new.example", "--app-domain", "app.example.com"],
      ["new.example is pending", "/new.example"],
    ],
    [
      "a host of another Worker",
      () => cloudflare.domains.set("qr.example.com", "shop"),
      complete,
      ["qr.example.com is in use: it is a domain of the Worker shop", "/services/view/shop/"],
    ],
    [
      "a host that a route takes",
      () => cloudflare.routes.push({ pattern: "*.example.com/*", script: "proxy" }),
      complete,
      ["the route *.example.com/* sends it to the Worker proxy", "/example.com/workers"],
    ],
    [
      "a host with a DNS record",
      () => cloudflare.dnsRecords.push({ name: "app.example.com", type: "CNAME", content: "shops.example" }),
      complete,
      ["app.example.com is in use: it has the DNS record CNAME shops.example", "/dns/records"],
    ],
    [
      "a queue that another Worker consumes",
      () => cloudflare.queues.set("qr-scans", { id: "b".repeat(32), consumer: "other" }),
      complete,
      ["qr-scans has a consumer already, the Worker other", "--prefix NAME"],
    ],
    [
      "a Worker's name that is taken",
      () => cloudflare.scripts.set("qr-code-management-service", []),
      complete,
      ["qr-code-management-service is something else", "--prefix NAME"],
    ],
    [
      "several accounts without a choice",
      () => cloudflare.accounts.push({ id: "c".repeat(32), name: "Second" }),
      complete,
      ["Choose one with --account", `${"c".repeat(32)}  Second`],
    ],
    [
      "an account that isn't one's own",
      () => {},
      [...complete, "--account", "nobody"],
      ["The account nobody isn't one of yours", accountId],
    ],
    [
      "an identity provider without a client id",
      () => {},
      [...complete, "--oidc-issuer", "https://id.example.com"],
      ["OIDC_ISSUER and OIDC_CLIENT_ID go together"],
    ],
    ["no domain and nobody to ask", () => {}, ["--yes"], ["--scan-domain HOST"]],
    [
      "an account without a workers.dev name",
      () => {
        cloudflare.subdomain = undefined;
      },
      ["--yes", "--workers-dev"],
      ["/workers/onboarding"],
    ],
  ];
  it.each(cases)("%s", async (_, prepare, args, parts) => {
    prepare();
    const message = await failure(args);
    for (const part of parts) expect(message).toContain(part);
    expect(cloudflare.writes).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("a database with someone else's tables", async () => {
    await installed();
    for (const { sqlite } of cloudflare.databases.values()) sqlite.exec("DROP TABLE d1_migrations");
    const before = cloudflare.inventory;
    expect(await failure()).toContain("--prefix NAME");
    expect(cloudflare.inventory).toEqual(before);
  });

  it("another scan domain than that of the codes printed so far", async () => {
    await installed();
    const message = await failure(["--yes", "--scan-domain", "go.example.com"]);
    expect(message).toContain("Codes printed so far contain https://qr.example.com");
    await install(["--yes", "--scan-domain", "go.example.com", "--move-scans"]);
    expect(bindingOf("SCAN_ORIGIN")?.text).toBe("https://go.example.com");
  });

  it("invalid options", async () => {
    for (const [args, part] of [
      [["--scan-domain", "qr.example.com:8443"], "--scan-domain must be a host"],
      [["--app-domain", "localhost"], "--app-domain must be a host"],
      [["--app-domain", "10.0.0.1"], "--app-domain must be a domain"],
      [["--prefix", "Qr"], "--prefix must be"],
      [["--prefix", "q".repeat(31)], "--prefix must be"],
      [["--wait", "soon"], "--wait must be"],
      [["--workers-dev", "--scan-domain", "qr.example.com"], "--workers-dev takes no"],
      [["--nothing"], "Usage: npm run setup"],
    ] as const) {
      expect(() => parseSetupOptions([...args])).toThrow(part);
    }
  });
});

describe("an error of the account", () => {
  it.each(
    sample(
      advices.flatMap(({ codes, text }) => codes.map((code) => [code, text] as const)),
      4,
    ),
  )("%i comes with its fix, wherever it arises", async (code, text) => {
    const advice = text(`https://dash.cloudflare.com/${accountId}`);
    expect(advice).toMatch(/https:\/\/dash\.cloudflare\.com\/|npm run setup/);
    for (const request of [/^POST .*\/r2\/buckets$/, /^PUT .*\/workers\/scripts\/[^/]+$/]) {
      cloudflare.intercept = (line) =>
        request.test(line) ? { status: 400, code, message: "as Cloudflare words it" } : undefined;
      const message = await failure();
      expect(message).toContain(advice);
      expect(message).toContain("as Cloudflare words it");
      expect(message).toContain(String(code));
    }
  });

  it.each(permissions)("names the permission that a token lacks for %s", async (path, permission) => {
    cloudflare.intercept = (line) =>
      path.test(line) ? { status: 403, code: 10_000, message: "Authentication error" } : undefined;
    // Routes, DNS records and the plan are only read if the token can, and only the doctor reads analytics.
    if (/Routes|Analytics|Billing/.test(permission)) return install();
    expect(await failure()).toMatch(
      /The token lacks the permission "[^"]+"|Cloudflare doesn't accept the token/,
    );
    return undefined;
  });

  it("says that a token is wrong", async () => {
    const env = { CLOUDFLARE_API_BASE_URL: cloudflare.base, CLOUDFLARE_API_TOKEN: "another" };
    expect(await failure(complete, { env })).toContain("Cloudflare doesn't accept the token");
  });

  it("names the permission that a token lacks, though Cloudflare has the same number for wrong tokens", async () => {
    cloudflare.intercept = (line) =>
      /POST .*\/queues$/.test(line)
        ? { status: 403, code: 9109, message: "Unauthorized to access requested resource" }
        : undefined;
    expect(await failure()).toContain('The token lacks the permission "Account: Queues: Edit".');
  });
});

describe("a run that ends anywhere is completed by another", () => {
  const broken: Refusal = { status: 500, code: 10_013, message: "internal error" };

  /**
   * Tries some of the places, each with an account of its own.
   * @param from the first one of the sample, so that failures and interruptions take turns
   */
  async function tryAll(from: number, endAt: (place: number) => Promise<void>): Promise<void> {
    await installed();
    const { length: count } = cloudflare.requests;
    expect(count).toBeGreaterThan(50);
    for (let place = runs(from, 0); place < count; place += runs(34, 1)) {
      await rm(join(folder, "installations"), { recursive: true, force: true });
      await renewAccount();
      await endAt(place);
      cloudflare.intercept = () => undefined;
      // The second run needs nothing that the first one knew.
      await install();
      await expectInstalled();
    }
  }

  it("after a failure at a request", () =>
    tryAll(0, async (place) => {
      cloudflare.intercept = (_, index) => (index === place ? broken : undefined);
      await failure();
    }));

  it("after an interruption at a request", () =>
    tryAll(17, async (place) => {
      const controller = new AbortController();
      cloudflare.intercept = (_, index) => {
        if (index === place) controller.abort();
        return undefined;
      };
      await failure(complete, { signal: controller.signal });
      expect(controller.signal.aborted).toBe(true);
    }));
});
