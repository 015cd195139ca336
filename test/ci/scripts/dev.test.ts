import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { colleagues, companyName, page, userName } from "../../../scripts/company/company.ts";
import { exampleName } from "../../../scripts/company/example-member.ts";
import { examplePath } from "../../../scripts/dev/paths.ts";
import { withCatalogue } from "../../../scripts/lib/catalogue.ts";
import { Failure } from "../../../scripts/lib/failure.ts";
import { parseDevOptions } from "../../../scripts/lib/options.ts";
import { requireFreePort } from "../../../scripts/lib/port.ts";
import { readyMessage } from "../../../scripts/lib/ready-message.ts";
import { steps } from "../../../scripts/lib/start-output.ts";
import { Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import { QrType } from "../../../src/contract/resources/enums.ts";
import { MemberList } from "../../../src/contract/resources/identity/members.ts";
import { ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import { DeliveryList, WebhookList } from "../../../src/contract/resources/webhooks/webhooks.ts";
import { locationAt } from "../../e2e/support/at-host.ts";
import type { Browser } from "../../e2e/support/browser.ts";
import {
  DevServer,
  freePort,
  killDevAt,
  outputOfStart,
  runDev,
  withoutTime,
} from "../../e2e/support/dev-server.ts";
import { runDoctor } from "../../e2e/support/installation/doctor.ts";
import { readStrictly } from "../../e2e/support/read-strictly.ts";
import { callDeveloper, signIn } from "../../e2e/support/sign-in.ts";

let data = "";
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "qr-dev-"));
});
afterAll(() => rm(data, { recursive: true }));

const demoWorkspace = "01900000-0000-7000-8000-000000000001";

const createCode = (server: DevServer) =>
  readStrictly(
    server.send("POST", "/qr", { qrType: "url", data: { type: "url", url: "example.com/one" } }),
    201,
    Qr,
  );

// The message of a start and the README's tour are tested on the service that other tests share.
describe("npm run dev", () => {
  let server: DevServer;
  let key = "";
  let code: Qr;
  let browser: Browser;
  let token = "";
  afterAll(() => server?.interrupt());
  const get = (path: string) => callDeveloper(server, browser, "GET", path);

  it("keeps the demo key in the data's folder, as it prints", async () => {
    server = await DevServer.start(["--persist-to", data]);
    key = server.key;
    expect((await readFile(join(data, ".dev.key"), "utf8")).trim()).toBe(key);
    expect(server.startMessage).toContain(`(kept in ${join(data, ".dev.key")})`);
  });

  it("opens the example company from an empty workspace: its people, its designs and its undone job", async () => {
    browser = await signIn(server, "demo");
    const address = server.issuer + examplePath;
    expect(browser.page).toContain(`<a class="button plain" href="${address}" hx-boost="false">`);
    const elsewhere = await fetch(address, { method: "POST", headers: { origin: "https://evil.example" } });
    expect(elsewhere.status).toBe(403);
    expect(await (await fetch(address)).text()).toContain(`Open ${companyName}`);

    const asked = await fetch(address, { method: "POST", headers: { origin: server.issuer } });
    expect(await asked.text()).toContain(`Adding ${companyName}`);
    await vi.waitFor(
      async () => {
        const answer = await fetch(address, { redirect: "manual" });
        expect([answer.status, answer.headers.get("location")]).toEqual([303, server.dashboard]);
      },
      { timeout: 600_000, interval: 500 },
    );
    await browser.open(server.dashboard);
    expect(browser.page).toContain(`aria-label="${companyName}, overview"`);

    const { members } = await readStrictly(get("/members"), 200, MemberList);
    const roles = members.map(({ name, role }) => `${name}: ${role}`);
    expect(roles).toEqual(
      expect.arrayContaining([
        `${userName}: owner`,
        ...colleagues.map(({ name, role }) => `${name}: ${role}`),
      ]),
    );
    await browser.open(`${server.dashboard}/history`);
    for (const change of ["paused", "restored the tags of 3 codes", "changed the design of"]) {
      expect(browser.page).toContain(change);
    }
    await browser.open(`${server.dashboard}/jobs`);
    expect(browser.status).toBe(200);
  });

  it("shows the report and the map of a company with codes of all types, scanned on each of sixty days", async () => {
    await browser.open(server.dashboard);
    expect(browser.page).toMatch(/<dd class="figure">\s*[1-9],\d{3}/);
    expect(browser.page).toContain('class="world-map"');
    const scans = await (await browser.fetch("/dashboard/scans.csv")).text();
    const days = scans.match(/\d{4}-\d\d-\d\d(?=T)/g) ?? [];
    expect(days.length).toBeGreaterThan(5000);
    expect(new Set(days).size).toBeGreaterThanOrEqual(60);
    const codes = await (await browser.fetch("/dashboard/codes/export.csv")).text();
    for (const type of QrType.options) expect(codes).toContain(`,${type},`);
  });

  it("answers at the company's domain: codes, old short links, and the host itself", async () => {
    const locations = ["wholesale", "guji-250g", "Guji_2019", "bags/guji", "", "guji_2019"].map((path) =>
      locationAt(server.origin, "go.harbour.localhost", `/${path}`),
    );
    expect(await Promise.all(locations)).toEqual([
      expect.stringMatching(/^https:\/\/wa\.me\//),
      ...Array.from({ length: 3 }, () => "https://harbour.example/coffees/ethiopia-guji"),
      "https://harbour.example/",
      null,
    ]);
  });

  it("shows deliveries of the company that arrived and that failed, and a hosted page with submissions", async () => {
    const { webhooks } = await readStrictly(get("/webhooks"), 200, WebhookList);
    const deliveries = get(`/webhooks/${webhooks[0]?.id}/deliveries?limit=100`);
    const { items } = await readStrictly(deliveries, 200, DeliveryList);
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(["succeeded", "failed"]));
    expect(items.map(({ attempts }) => attempts)).toEqual(expect.arrayContaining([1, 2, 8]));
    expect((await server.scan(`${server.origin}/tasting`)).status).toBe(200);
    await browser.open("/dashboard/pages");
    expect(browser.page).toContain(page.title);
  });

  it("ends with its children when it is killed", async () => {
    code = await createCode(server);
    token = await (await fetch(`${server.issuer}/id-token?name=demo`)).text();
    expect(await server.interrupt("SIGKILL")).toBe(null);
    for (const each of [server.port, server.oidcPort]) {
      await expect
        .poll(() => requireFreePort(each).then(() => "free", String), { timeout: 10_000 })
        .toBe("free");
    }
  });

  describe("restarted, with the place that its options name", () => {
    beforeAll(async () => {
      const options = ["--persist-to", data, "--example", "--country", "DE", "--city", "Köln"];
      server = await DevServer.start(options, server);
    });

    it("keeps its data and its key, and doesn't add the company again", async () => {
      expect(withoutTime(server.output)).toBe(outputOfStart(server.startMessage));
      expect(server.key).toBe(key);
      const list = await readStrictly(server.send("GET", "/qr"), 200, QrList);
      expect(list.items.map(({ id }) => id)).toEqual([code.id]);
    });

    it("is the only one to serve its data", async () => {
      const ports = ["--port", await freePort(), "--oidc-port", await freePort()].map(String);
      const { code, output } = await runDev(["--persist-to", data, ...ports, "--reset"]);
      expect(output.replace(/process \d+/, "process N")).toBe(
        `The data in ${data} is in use by process N. Stop that, or keep other data: --persist-to DIR\n`,
      );
      expect(code).toBe(1);
      expect((await server.send("GET", "/qr")).status).toBe(200);
    });

    it("is well, as the doctor finds, and has no code more than before", async () => {
      const codes = async () => (await readStrictly(server.send("GET", "/qr"), 200, QrList)).items.length;
      const before = await codes();
      const port = String(server.port);
      const { code, output } = await runDoctor(["--local", "--port", port, "--persist-to", data]);
      expect(output).toMatch(/^Checked http:\/\/localhost:\d+\n\n\d\d in order\n$/);
      expect(code).toBe(0);
      expect(await codes()).toBe(before);
    });

    it("still accepts earlier sessions and tokens", async () => {
      expect((await get("/workspace")).status).toBe(200);
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${server.origin}/api/v1/developer/workspace`, { headers });
      expect(response.status).toBe(200);
    });

    it("signs the company's owner in under a short name", async () => {
      const owner = await signIn(server, exampleName, userName);
      expect(owner.page).toContain(`aria-label="${companyName}, overview"`);
    });

    it("records scans with the place, and prints their requests but not its own", async () => {
      const { id, hash, scanUrl } = await createCode(server);
      await server.scan(scanUrl);
      const place = async () => {
        const { events } = await readStrictly(server.send("GET", `/qr/${id}/scans`), 200, ScanListResponse);
        return events.map(({ country, city }) => [country, city]);
      };
      await expect.poll(place, { timeout: 20_000 }).toEqual([["DE", "Köln"]]);
      expect(server.output).toContain(`GET /${hash} 302`);
      expect(server.output).not.toContain("/dashboard/sweep");
    });

    it("frees its ports when it is interrupted", () => server.stop());
  });

  it("has a new key and no codes after --reset, and adds the company with --example", async () => {
    const ports = ["--port", await freePort(), "--oidc-port", await freePort()].map(String);
    const options = ["--persist-to", data, ...ports, "--reset", "--example"];
    expect(await killDevAt(/Adding/, options)).toBe(`${steps.database}\n${steps.example}\n`);
    const newKey = (await readFile(join(data, ".dev.key"), "utf8")).trim();
    expect(newKey).toMatch(/^sk_live_/);
    expect(newKey).not.toBe(key);
    const codes = await withCatalogue(data, (db) =>
      db
        .prepare("SELECT count(*) AS codes FROM qr_codes WHERE workspace_id = ?")
        .bind(demoWorkspace)
        .first("codes"),
    );
    expect(codes).toBe(0);
  });
});

describe("npm run dev refuses, before it writes anything,", () => {
  const unusedDirectory = () => join(data, "unused");
  const start = (...args: string[]) => runDev(["--persist-to", unusedDirectory(), ...args]);

  it("a port in use", async () => {
    const port = await freePort();
    const otherServer = createServer().listen(port, "127.0.0.1");
    await once(otherServer, "listening");
    try {
      expect(await start("--port", String(port))).toEqual({
        code: 1,
        output: `Port ${port} is taken. Stop what listens there, or choose another: --port N\n`,
      });
    } finally {
      otherServer.close();
    }
  });

  it("an identity provider's port that is in use or equal to the service's", async () => {
    const [port, oidcPort] = [await freePort(), await freePort()];
    const ports = ["--port", String(port), "--oidc-port"];
    const otherServer = createServer().listen(oidcPort, "127.0.0.1");
    await once(otherServer, "listening");
    try {
      expect(await start(...ports, String(oidcPort))).toEqual({
        code: 1,
        output: `Port ${oidcPort} is taken. Stop what listens there, or choose another: --oidc-port N\n`,
      });
    } finally {
      otherServer.close();
    }
    expect(() => parseDevOptions([...ports, String(port)], {})).toThrow(
      new Failure(`--oidc-port must be another port than the service's, ${port}`),
    );
  });

  it.each([true, false])(
    "prints nothing longer than a terminal when it is ready, with examples: %s",
    (has) => {
      const [origin, issuer] = ["http://localhost:8787", "http://localhost:8788"];
      const message = readyMessage(
        { origin, issuer, key: `sk_live_${"k".repeat(32)}`, keyFile: ".dev.key" },
        { hasExample: has, hasLarge: has },
      );
      const lines = message.split("\n").map((line) => Math.max(1, Math.ceil(line.length / 80)));
      expect(lines.reduce((sum, count) => sum + count)).toBeLessThan(24);
    },
  );

  it.each(["0", "65536", "1e3", "-1", "http"])("the invalid port %s", (port) => {
    expect(() => parseDevOptions([`--port=${port}`], {})).toThrow(
      new Failure(`--port must be a port, 1 to 65535, not "${port}"`),
    );
  });

  it.each(["de", "DEU", ""])("the invalid country %j", (country) => {
    expect(() => parseDevOptions(["--country", country], {})).toThrow(
      new Failure(`--country must be two letters such as DE, not "${country}"`),
    );
  });

  it("an invalid PORT variable", () => {
    expect(() => parseDevOptions([], { PORT: "eighty" })).toThrow(
      new Failure('PORT must be a port, 1 to 65535, not "eighty"'),
    );
  });

  it("an unknown option, and prints its usage", async () => {
    const { code, output } = await start("--prot", "8787");
    expect(code).toBe(1);
    expect(output).toMatch(/^Unknown option '--prot'\n\nUsage: /);
  });

  it("without creating its data directory", async () => {
    expect(await readdir(data)).not.toContain("unused");
  });
});
