import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Unstable_RawConfig as RawConfig } from "wrangler";
import { accountId } from "../../e2e/support/installation/cloudflare.ts";
import {
  bindingOf,
  cloudflare,
  complete,
  deploy,
  expectInstalled,
  failure,
  folder,
  install,
  installed,
  messageOf,
  said,
  useAccount,
  written,
} from "../../e2e/support/installation/setup.ts";

useAccount();

const service = "qr-code-management-service";
const record = { name: "app.example.com", type: "CNAME", content: "shops.example" };

/** Answers as if the sign-in had no right to read DNS records, as that of a browser has none. */
function hideRecords(): void {
  cloudflare.intercept = (line) =>
    line.includes("/dns_records")
      ? { status: 403, code: 10_000, message: "Authentication error" }
      : undefined;
}

/** Changes a setting in the installation's file. */
const changeFile = async (before: string, after: string) =>
  writeFile(join(folder, "installations/qr.toml"), (await written("qr.toml")).replace(before, after));

describe("npm run setup", () => {
  it("never replaces a DNS record that it couldn't read, and says so before", async () => {
    hideRecords();
    cloudflare.dnsRecords.push(record);
    const env = { CLOUDFLARE_API_BASE_URL: cloudflare.base };
    const message = await failure(complete, { env });
    expect(said()).toContain("Not readable with this sign-in: DNS records of example.com.");
    expect(message).toContain("app.example.com is in use: it has a DNS record");
    expect(message).toContain(`https://dash.cloudflare.com/${accountId}/example.com/dns/records`);
    expect(message).toContain("npm run setup -- --app-domain HOST");
    expect(cloudflare.dnsRecords).toEqual([record]);
    expect([...cloudflare.domains]).toEqual([["qr.example.com", service]]);

    cloudflare.dnsRecords.splice(0);
    await install(["--yes"], { env });
    await expectInstalled();
  });

  it("names the record or the other Worker that took a host while it was at work, and takes neither", async () => {
    cloudflare.uploaded = async () => void cloudflare.domains.set("app.example.com", "shop");
    expect(await failure()).toContain(`app.example.com is in use: it is a domain of the Worker shop.
Remove it there, or choose another host: https://dash.cloudflare.com/${accountId}/workers/services/view/shop/`);
    expect(cloudflare.domains.get("app.example.com")).toBe("shop");
    // The service is deployed now, and gets its hosts first.
    cloudflare.domains.delete("app.example.com");
    cloudflare.uploaded = async () => {};
    cloudflare.intercept = (line) => {
      if (line === `POST /accounts/${accountId}/queues`) cloudflare.dnsRecords.push(record);
      return undefined;
    };
    cloudflare.queues.delete("qr-prints-dead");
    const before = cloudflare.versions.get(service);
    expect(await failure()).toContain("app.example.com is in use: it has the DNS record CNAME shops.example");
    expect(cloudflare.dnsRecords).toEqual([record]);
    expect(cloudflare.versions.get(service)).toBe(before);
  });

  it("gives a Worker its own address at workers.dev only if asked to, and previews never", async () => {
    await installed();
    const none = { enabled: false, previews_enabled: false };
    expect(Object.fromEntries(cloudflare.subdomains)).toEqual({
      [service]: none,
      "qr-code-images": none,
      "qr-code-edge": none,
    });
    await install(["--yes", "--prefix", "try", "--workers-dev"]);
    expect(cloudflare.subdomains.get(`try-code-management-service`)).toEqual({ ...none, enabled: true });
  });
});

describe("npm run deploy", () => {
  it("leaves the hosts as they are, has no routes, and has objects take over new code at once", async () => {
    await installed();
    const from = cloudflare.requests.length;
    await deploy();
    expect(cloudflare.requests.slice(from).join("\n")).not.toMatch(/PUT \S+\/domains/);
    const file = await readFile(join(folder, "scratch/qr/service.json"), "utf8");
    const config = JSON.parse(file) as RawConfig;
    expect(config.routes).toBeUndefined();
    expect(config).toMatchObject({ workers_dev: false, preview_urls: false });
    expect(cloudflare.codeUpdates.get(service)).toBe("immediate");
    await expectInstalled();
  });

  it("attaches a host that was changed in the file; a refused one changes nothing", async () => {
    await installed();
    await changeFile("app.example.com", "codes.example.com");
    cloudflare.dnsRecords.push({ ...record, name: "codes.example.com" });
    hideRecords();
    const from = cloudflare.writes.length;
    expect(await messageOf(deploy())).toContain("codes.example.com is in use: it has a DNS record");
    expect(cloudflare.writes.slice(from).filter((line) => !line.endsWith("/query"))).toEqual([
      `PUT /accounts/${accountId}/workers/domains`,
    ]);
    expect(cloudflare.domains.has("codes.example.com")).toBe(false);
    expect(bindingOf("APP_ORIGIN")?.text).toBe("https://app.example.com");

    cloudflare.dnsRecords.splice(0);
    await deploy();
    expect(said()).toContain("codes.example.com attached");
    expect(cloudflare.domains.get("codes.example.com")).toBe(service);
    expect(bindingOf("APP_ORIGIN")?.text).toBe("https://codes.example.com");
  });

  it("reads the file of 1.0.0, also with routes that were added", async () => {
    await installed();
    const [DB, ROUTES] = ["DB", "ROUTES"].map((name) => bindingOf(name));
    await writeFile(
      join(folder, "installations/qr.toml"),
      `account_id = "${accountId}"
routes = [{ pattern = "qr.example.com", custom_domain = true }]

[ids]
DB = "${DB?.id}"
ROUTES = "${ROUTES?.namespace_id}"

[vars]
DEFAULT_PLAN = "business"
SCAN_ORIGIN = "https://qr.example.com"
APP_ORIGIN = "https://app.example.com"
`,
    );
    await deploy();
    await expectInstalled();
  });
});
