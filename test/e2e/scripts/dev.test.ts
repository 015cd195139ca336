import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { companyName, page, userName } from "../../../scripts/company/company.ts";
import { exampleName } from "../../../scripts/company/example-member.ts";
import { Failure } from "../../../scripts/lib/failure.ts";
import { parseDevOptions } from "../../../scripts/lib/options.ts";
import { requireFreePort } from "../../../scripts/lib/port.ts";
import { readyMessage } from "../../../scripts/lib/ready-message.ts";
import { QrType } from "../../../src/contract/resources/enums.ts";
import { Deleted, Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import { ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import { DeliveryList, WebhookList } from "../../../src/contract/resources/webhooks/webhooks.ts";
import type { Browser } from "../support/browser.ts";
import { locationAt } from "../support/at-host.ts";
import { DevServer, freePort, runDev } from "../support/dev-server.ts";
import { runDoctor } from "../support/installation/doctor.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { callDeveloper, signIn } from "../support/sign-in.ts";

let data = "";
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "qr-dev-"));
});
afterAll(() => rm(data, { recursive: true }));

const urlData = (url: string) => ({ data: { type: "url", url } });

async function createCode(server: DevServer) {
  return await readStrictly(
    server.send("POST", "/qr", { qrType: "url", ...urlData("example.com/one") }),
    201,
    Qr,
  );
}

async function scanResult(server: DevServer, scanUrl: string) {
  const response = await server.scan(scanUrl);
  return { status: response.status, location: response.headers.get("location") };
}

/** The requests of the README's tour. */
async function runTour(server: DevServer) {
  const { id, scanUrl } = await createCode(server);
  expect(new URL(scanUrl).origin).toBe(server.origin);
  expect(await scanResult(server, scanUrl)).toEqual({ status: 302, location: "https://example.com/one" });

  await readStrictly(server.send("PATCH", `/qr/${id}`, urlData("https://example.com/two")), 200, Qr);
  expect(await scanResult(server, scanUrl)).toEqual({ status: 302, location: "https://example.com/two" });

  await readStrictly(server.send("PATCH", `/qr/${id}`, { status: "paused" }), 200, Qr);
  expect(await scanResult(server, scanUrl)).toEqual({ status: 404, location: null });

  const list = await readStrictly(server.send("GET", "/qr"), 200, QrList);
  expect(list.items).toMatchObject([{ id, status: "paused" }]);

  const scans = () => readStrictly(server.send("GET", `/qr/${id}/scans`), 200, ScanListResponse);
  await expect
    .poll(async () => (await scans()).stats, { timeout: 20_000 })
    .toEqual({
      total: 2,
      uniqueVisitors: 1,
    });
  expect((await scans()).events.map(({ country, city }) => [country, city])).toEqual([
    [null, null],
    [null, null],
  ]);

  expect(await readStrictly(server.send("DELETE", `/qr/${id}`), 200, Deleted)).toEqual({ success: true });
  expect((await server.send("GET", `/qr/${id}`)).status).toBe(404);
  expect((await server.scan(scanUrl)).status).toBe(404);
}

describe("npm run dev", () => {
  let server: DevServer;
  let key = "";
  let code: Qr;
  let browser: Browser;
  let token = "";
  afterAll(() => server?.interrupt());

  it("prints nothing but where to go on", async () => {
    server = await DevServer.start(["--persist-to", data]);
    expect(server.output).toBe(`Starting…\n${server.startMessage}\n`);
    expect((await readFile(join(data, ".dev.key"), "utf8")).trim()).toBe(server.key);
    expect(server.startMessage).toContain(`(kept in ${join(data, ".dev.key")})`);
  });

  it("serves the README's tour, in which scans come from nowhere", async () => {
    await runTour(server);
    key = server.key;
    code = await createCode(server);
    browser = await signIn(server, "demo");
    token = await (await fetch(`${server.issuer}/id-token?name=demo`)).text();
  });

  it("ends with its children when it is killed", async () => {
    expect(await server.interrupt("SIGKILL")).toBe(null);
    for (const each of [server.port, server.oidcPort]) {
      await expect
        .poll(() => requireFreePort(each).then(() => "free", String), { timeout: 10_000 })
        .toBe("free");
    }
  });

  describe("restarted, with the place that its options name", () => {
    beforeAll(async () => {
      server = await DevServer.start(["--persist-to", data, "--country", "DE", "--city", "Köln"], server);
    });

    it("keeps its data and its key", async () => {
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
      expect((await callDeveloper(server, browser, "GET", "/workspace")).status).toBe(200);
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${server.origin}/api/v1/developer/workspace`, { headers });
      expect(response.status).toBe(200);
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
      expect(server.output).not.toContain("/cdn-cgi/");
    });

    it("frees its ports when it is interrupted", stop);
  });

  describe("after --reset, with --example", () => {
    const get = (path: string) => callDeveloper(server, browser, "GET", path);

    beforeAll(async () => {
      server = await DevServer.start(["--persist-to", data, "--reset", "--example"]);
      browser = await signIn(server, exampleName, userName);
    });

    it("has a new key, and a demo workspace without codes", async () => {
      expect(server.key).not.toBe(key);
      expect(await readStrictly(server.send("GET", "/qr"), 200, QrList)).toEqual({
        items: [],
        nextCursor: null,
      });
      expect(server.output).toContain(`Starting…\nAdding the example company…\n${server.startMessage}\n`);
    });

    it("shows the report and the map of a company with codes of all types, scanned on each of sixty days", async () => {
      expect(browser.page).toContain(`aria-label="${companyName}, overview"`);
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

    it("shows deliveries that arrived and that failed, and a hosted page with submissions", async () => {
      const { webhooks } = await readStrictly(get("/webhooks"), 200, WebhookList);
      const deliveries = get(`/webhooks/${webhooks[0]?.id}/deliveries?limit=100`);
      const { items } = await readStrictly(deliveries, 200, DeliveryList);
      expect(new Set(items.map(({ status }) => status))).toEqual(new Set(["succeeded", "failed"]));
      expect(items.map(({ attempts }) => attempts)).toEqual(expect.arrayContaining([1, 2, 8]));
      expect((await server.scan(`${server.origin}/tasting`)).status).toBe(200);
      await browser.open("/dashboard/pages");
      expect(browser.page).toContain(page.title);
    });

    it("frees its ports when it is interrupted", stop);
  });

  async function stop(): Promise<void> {
    expect(await server.interrupt()).toBe(0);
    await requireFreePort(server.port);
    await requireFreePort(server.oidcPort);
  }
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
    expect(await start(...ports, String(port))).toEqual({
      code: 1,
      output: `--oidc-port must be another port than the service's, ${port}\n`,
    });
  });

  it.each([true, false])(
    "prints nothing longer than a terminal when it is ready, with an example: %s",
    (has) => {
      const [origin, issuer] = ["http://localhost:8787", "http://localhost:8788"];
      const message = readyMessage(
        { origin, issuer, key: `sk_live_${"k".repeat(32)}`, keyFile: ".dev.key" },
        has,
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

  it("an invalid PORT variable", async () => {
    const output = 'PORT must be a port, 1 to 65535, not "eighty"\n';
    expect(await runDev([], { PORT: "eighty" })).toEqual({ code: 1, output });
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
