import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Unstable_RawConfig as RawConfig } from "wrangler";
import { parseSetupOptions } from "../../../scripts/setup/options.ts";
import { accountId } from "../../e2e/support/installation/cloudflare.ts";
import {
  bindingOf,
  changeDomains,
  clearLines,
  cloudflare,
  deploy,
  failure,
  folder,
  goBackTo,
  install,
  installed,
  messageOf,
  noon,
  rotateAt,
  said,
  useAccount,
  written,
} from "../../e2e/support/installation/setup.ts";

useAccount();

const service = "qr-code-management-service";
const edge = "qr-code-edge";
const images = "qr-code-images";
const customersZone = "e".repeat(32);

/** A binding of the deployed Worker for scans. */
const edgeBinding = (name: string) => cloudflare.scripts.get(edge)?.find((binding) => binding.name === name);
const hosts = () => Object.fromEntries(cloudflare.domains);
const secretsOf = (worker: string) =>
  (cloudflare.scripts.get(worker) ?? [])
    .filter(({ name }) => name.startsWith("VISITOR_SECRET"))
    .map(({ name, text }) => `${name} ${text}`)
    .sort();
/** The Workers that were deployed since a request. */
const uploadsFrom = (from: number) =>
  cloudflare.writes.slice(from).flatMap((line) => /^PUT \S+\/scripts\/([^/]+)$/.exec(line)?.[1] ?? []);
const atEdge = { "qr.example.com": edge, "app.example.com": service };
const atMain = { "qr.example.com": service, "app.example.com": service };

describe("npm run setup", () => {
  it("deploys the Worker for scans after the service, from its configuration, and leads the scans' host to it", async () => {
    await install();
    expect(uploadsFrom(0)).toEqual([images, service, edge]);
    expect(hosts()).toEqual(atEdge);
    expect(edgeBinding("MAIN")).toMatchObject({ type: "service", service });
    expect(edgeBinding("LEDGERS")).toMatchObject({ script_name: service });
    for (const name of [
      "DB",
      "ROUTES",
      "SCANS",
      "DELIVERIES",
      "SCAN_ORIGIN",
      "APP_ORIGIN",
      "VISITOR_SECRET",
    ]) {
      expect(edgeBinding(name), name).toEqual(bindingOf(name));
    }
    expect(edgeBinding("SESSION_SECRET")).toBeUndefined();
    const read = async (file: string) =>
      JSON.parse(await readFile(join(folder, `scratch/qr/${file}.json`), "utf8")) as RawConfig;
    const [main, own] = [await read("service"), await read("edge")];
    expect(own).toMatchObject({ workers_dev: false, preview_urls: false });
    expect(own).not.toHaveProperty("routes");
    expect(own).not.toHaveProperty("durable_objects.code_update_strategy");
    expect(main.ratelimits).toEqual(expect.arrayContaining(own.ratelimits ?? [null]));
    expect(await written("qr.toml")).toContain("\nedge = true\n");
    expect(said()).toContain(`deploy  Workers ${images}, ${service}, ${edge}`);
    expect(said()).toContain(`point   qr.example.com to ${edge}`);
  });

  it("gives each prefix a Worker for scans of its own, to which its hosts lead", async () => {
    const own = ["--prefix", "shop", "--scan-domain", "go.example.com", "--app-domain", "my.example.com"];
    await install(["--yes", "--wait", "0", ...own]);
    const bindings = cloudflare.scripts.get("shop-code-edge");
    expect(bindings?.find(({ name }) => name === "MAIN")?.service).toBe("shop-code-management-service");
    expect(cloudflare.domains.get("go.example.com")).toBe("shop-code-edge");
  });

  it("takes neither a Worker that is something else nor a workers.dev address", async () => {
    cloudflare.scripts.set(edge, []);
    expect(await failure()).toContain(`The Worker ${edge} is something else.`);
    cloudflare.scripts.delete(edge);
    expect(await failure(["--yes", "--workers-dev", "--edge"])).toContain("has no workers.dev address");
    expect(() => parseSetupOptions(["--edge", "--no-edge"])).toThrow("exclude each other");
    expect(cloudflare.inventory.scripts).toEqual([]);
  });
});

describe("an installation that gets the Worker for scans later", () => {
  const host = "qr.acme.com";
  beforeEach(async () => {
    await installed("--no-edge");
    cloudflare.zones.push({ id: customersZone, name: "acme.com", status: "active" });
    await changeDomains(["add", host]);
    clearLines();
  });

  it("has one Worker as long as nobody asks for another", async () => {
    await deploy();
    expect(cloudflare.scripts.has(edge)).toBe(false);
    expect(await written("qr.toml")).not.toContain("edge");
  });

  it("gets the same new secret in both, and has the hosts for scans moved, its own alone", async () => {
    cloudflare.domains.set("shop.acme.com", "shop");
    const [before] = secretsOf(service);
    const from = cloudflare.writes.length;
    await install(["--yes", "--wait", "0", "--edge"]);
    expect(hosts()).toEqual({ ...atEdge, [host]: edge, "shop.acme.com": "shop" });
    const [own] = secretsOf(edge);
    expect(secretsOf(edge)).toHaveLength(1);
    expect(secretsOf(service)).toEqual([before, own].sort());
    expect(await written("qr.rotated-secrets")).toContain(own?.split(" ")[1]);
    expect(said()).toContain("New VISITOR_SECRET stored in both");
    const writes = cloudflare.writes.slice(from);
    const uploaded = writes.indexOf(`PUT /accounts/${accountId}/workers/scripts/${edge}`);
    const moved = writes.indexOf(`PUT /accounts/${accountId}/workers/domains`);
    expect(uploaded).toBeGreaterThan(0);
    expect(moved).toBeGreaterThan(uploaded);

    // Later deployments change neither.
    const stored = [secretsOf(service), secretsOf(edge)];
    const later = cloudflare.writes.length;
    await deploy();
    expect([secretsOf(service), secretsOf(edge)]).toEqual(stored);
    expect(uploadsFrom(later)).toEqual([images, service, edge]);
    expect(cloudflare.writes.slice(later).filter((line) => line.endsWith("/domains"))).toEqual([]);
    expect(said()).toMatch(/npx wrangler rollback \S+ -c \S*edge\.json/);
  });

  it("continues after an interruption before its deployment, with the same secret", async () => {
    cloudflare.intercept = (line) =>
      line.endsWith(`/scripts/${edge}`) && line.startsWith("PUT")
        ? { status: 500, code: 1, message: "interrupted" }
        : undefined;
    expect(await failure(["--yes", "--wait", "0", "--edge"])).toContain("interrupted");
    expect(hosts()).toEqual({ ...atMain, [host]: service });
    const stored = secretsOf(service);
    cloudflare.intercept = () => undefined;
    await install(["--yes", "--wait", "0", "--edge"]);
    expect(secretsOf(service)).toEqual(stored);
    expect(stored).toContain(secretsOf(edge)[0]);
  });

  it("leads to both for a while if hosts can't be moved, and says so", async () => {
    cloudflare.intercept = (line) =>
      line === `PUT /accounts/${accountId}/workers/domains`
        ? { status: 403, code: 10_000, message: "Authentication error" }
        : undefined;
    await install(["--yes", "--wait", "0", "--edge"]);
    expect(said()).toContain(`! Not all hosts point to ${edge}; the service answers the others`);
    expect(said()).toContain("Account: Workers Scripts: Edit");
    expect(hosts()).toEqual({ ...atMain, [host]: service });
    cloudflare.intercept = () => undefined;
    await deploy();
    expect(hosts()).toEqual({ ...atEdge, [host]: edge });
  });

  describe("and gives it up again", () => {
    beforeEach(async () => {
      const file = await written("qr.toml");
      const settings = `CUSTOM_HOSTNAMES_ZONE = "${customersZone}"\nCUSTOM_HOSTNAMES_TARGET = "hosts.acme.com"\n`;
      await writeFile(join(folder, "installations/qr.toml"), file.replace("[vars]\n", `[vars]\n${settings}`));
      cloudflare.routes.push(
        { zone: customersZone, pattern: "*/.well-known/*" },
        { zone: customersZone, pattern: "*/*", script: service },
        { zone: customersZone, pattern: "shop.acme.com/*", script: "shop" },
      );
      await install(["--yes", "--wait", "0", "--edge"]);
      clearLines();
    });
    const scripts = () => cloudflare.routes.map(({ script }) => script);

    it("by npm run domains -- to-main, before it can go back to a release, and comes back by to-edge", async () => {
      expect(scripts()).toEqual([undefined, edge, "shop"]);
      const from = cloudflare.writes.length;
      expect(await messageOf(goBackTo("1.0.0", { yes: true }))).toContain("npm run domains -- to-main");
      expect(cloudflare.writes.slice(from)).toEqual([]);
      await changeDomains(["to-main"]);
      expect(hosts()).toEqual({ ...atMain, [host]: service });
      expect(scripts()).toEqual([undefined, service, "shop"]);
      expect(await written("qr.toml")).not.toContain("edge");
      await goBackTo("1.0.0", { yes: true });
      await deploy();
      expect(hosts()).toEqual({ ...atMain, [host]: service });
      await changeDomains(["to-edge"]);
      expect(hosts()).toEqual({ ...atEdge, [host]: edge });
      expect(scripts()).toEqual([undefined, edge, "shop"]);
      expect(await written("qr.toml")).toContain("\nedge = true\n");
    });

    it("continues where moving was interrupted", async () => {
      cloudflare.intercept = (line) =>
        line.endsWith("/workers/routes/1") ? { status: 500, code: 1, message: "interrupted" } : undefined;
      expect(await messageOf(changeDomains(["to-main"]))).toContain("interrupted");
      expect(await written("qr.toml")).toContain("\nedge = true\n");
      cloudflare.intercept = () => undefined;
      for (let i = 0; i < 2; i += 1) await changeDomains(["to-main"]);
      expect(scripts()).toEqual([undefined, service, "shop"]);
      expect(hosts()).toEqual({ ...atMain, [host]: service });
    });

    it("by npm run setup -- --no-edge", async () => {
      await install(["--yes", "--wait", "0", "--no-edge"]);
      expect(hosts()).toEqual({ ...atMain, [host]: service });
      expect(scripts()).toEqual([undefined, service, "shop"]);
      expect(await written("qr.toml")).not.toContain("edge");
    });

    it("lists, adds and removes hosts at it", async () => {
      await changeDomains(["list"]);
      expect(said()).toMatch(/^ {2}qr\.acme\.com +further +points to the service by its Worker for scans$/m);
      expect(said()).toMatch(/^ {2}app\.example\.com +app +points to the service$/m);
      await changeDomains(["add", "go.acme.com"]);
      expect(cloudflare.domains.get("go.acme.com")).toBe(edge);
      await changeDomains(["remove", "go.acme.com", "--yes"]);
      expect(cloudflare.domains.has("go.acme.com")).toBe(false);
    });
  });

  it("leads no hosts to a Worker for scans that isn't deployed", async () => {
    expect(await messageOf(changeDomains(["to-edge"]))).toContain("npm run setup -- --edge");
    expect(hosts()).toEqual({ ...atMain, [host]: service });
  });
});

describe("npm run rotate -- VISITOR_SECRET, with a Worker for scans", () => {
  const name = "VISITOR_SECRET";
  const day = 24 * 60 * 60_000;
  beforeEach(() => install());

  it("puts a new one to both, and removes the previous one from both", async () => {
    await rotateAt(noon, name);
    expect(secretsOf(edge)).toEqual(secretsOf(service));
    expect(secretsOf(edge)).toHaveLength(2);
    await rotateAt(noon + 8 * day, name, { finish: true });
    expect(secretsOf(edge)).toEqual(secretsOf(service));
    expect(secretsOf(edge)[0]).toMatch(/^VISITOR_SECRET_202611231205 /);
    await deploy();
    expect(secretsOf(edge)).toEqual(secretsOf(service));
    expect(secretsOf(edge)).toHaveLength(1);
  });

  it("is completed after an interruption between them, or a rollback of one", async () => {
    cloudflare.intercept = (line) =>
      line.endsWith(`/${edge}/secrets-bulk`) ? { status: 500, code: 1, message: "interrupted" } : undefined;
    expect(await messageOf(rotateAt(noon, name))).toContain("interrupted");
    cloudflare.intercept = () => undefined;
    expect(await messageOf(rotateAt(noon + 8 * day, name, { finish: true }))).toContain(
      `Store it again first: npm run rotate -- ${name}`,
    );
    await rotateAt(noon + day, name);
    expect(secretsOf(edge)).toEqual(secretsOf(service));
    expect(secretsOf(edge)).toHaveLength(2);

    // As `wrangler rollback` does. A deployment mends it, too.
    for (const worker of [edge, service]) {
      const before = [...(cloudflare.scripts.get(worker) ?? [])];
      const without = before.filter((each) => each.name !== `${name}_202611231205`);
      cloudflare.scripts.set(worker, without);
      await deploy();
      expect(secretsOf(edge)[1]).toBe(secretsOf(service)[1]);
      expect(secretsOf(edge)[1]).toMatch(/_202611231205 /);
    }
  });
});
