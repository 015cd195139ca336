import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseDoctorOptions } from "../../../scripts/doctor/options.ts";
import {
  examine,
  fetchAnything,
  mends,
  noService,
  queueNamed,
  refuse,
  refuseDns,
  registerFor,
  replace,
  useDoctor,
} from "../../e2e/support/installation/doctor.ts";
import { cloudflare, folder, installed } from "../../e2e/support/installation/setup.ts";

useDoctor();

const { setup, tokens, registry } = mends;

/** Something that can't be checked, the finding that says so, and what lets it be checked. */
const unreadable: [what: string, plant: () => unknown, found: string[], mend: string][] = [
  [
    "without a token",
    () => replace({ env: { CLOUDFLARE_API_BASE_URL: cloudflare.base }, wrangler: async () => "{}" }),
    [
      "? account: Not checked: Worker, stores, queues, domains, quotas and backup in the account, and a scan. Nobody",
      "? registration of the domains: Not checked",
      "? scan: Not checked",
    ],
    "npx wrangler login",
  ],
  [
    "with a token that may not read queues",
    () => refuse(/\/queues/, 403, 10_000, "Authentication error"),
    ['? queues: Not checked. The token can\'t read this: it needs the permission "Account: Queues: Edit".'],
    tokens,
  ],
  [
    "with a token that may not read analytics, on the Free plan",
    () => {
      cloudflare.plan = "free";
      refuse(/\/graphql/, 403, 10_000, "Authentication error");
    },
    [
      '? quotas: Not checked. The token can\'t read this: it needs the permission "Account: Account Analytics: Read".',
    ],
    tokens,
  ],
  [
    "with a token that may not read the plan",
    () => {
      cloudflare.plan = undefined;
      queueNamed("qr-bulk").settings = { message_retention_period: 86_400 };
    },
    [
      "? queue retention: Messages are kept for 1.0 days instead of 14 in qr-bulk. Workers Paid allows 14, and the token",
      "? quotas: Not checked, because the token",
    ],
    tokens,
  ],
  [
    "while Cloudflare's API fails",
    () => refuse(/\/workers\/domains/, 500, 10_001, "Internal error"),
    ["? domains: Not checked. Cloudflare's API answered: Internal error [code: 10001]."],
    "https://www.cloudflarestatus.com",
  ],
  [
    "without the operator's secret",
    () => rm(join(folder, "installations/qr.operator-secret")),
    ["? readiness: Not checked: the operator's secret is neither in OPERATOR_SECRET nor in its file"],
    setup,
  ],
  [
    "while the registry is silent",
    () => {
      registerFor(undefined);
    },
    ["? registration of example.com: Not checked. The registry can't be reached: fetch failed."],
    registry,
  ],
];

describe("what could not be checked is said", () => {
  it.each(unreadable)("%s", async (_, plant, found, mend) => {
    await installed();
    await plant();
    const { report, isWell, wrong } = await examine();
    expect(wrong).toEqual(found.map((beginning) => expect.stringContaining(beginning)));
    expect(report).toContain(`\n    ${mend}`);
    expect(isWell).toBe(true);
  });

  it("without a token; links to pages of an unknown domain let the dashboard ask for it", async () => {
    await installed();
    replace({
      env: { CLOUDFLARE_API_BASE_URL: cloudflare.base },
      wrangler: async () => "{}",
      lookUp: refuseDns("ENOTFOUND"),
    });
    const { report } = await examine();
    expect(report).toContain(
      "✗ DNS of qr.example.com: It has no address.\n    https://dash.cloudflare.com/?to=/:account/:zone/dns/records\n",
    );
  });

  it("while this machine has no network", async () => {
    await installed();
    replace({ lookUp: refuseDns("ECONNREFUSED") });
    const { report } = await examine();
    expect(report).toContain(
      "? DNS of qr.example.com: Not checked. This machine's DNS doesn't answer (ECONNREFUSED).",
    );
    expect(report).toContain(noService);
  });

  it("with --no-scan, which creates nothing", async () => {
    await installed();
    const writes = cloudflare.writes.length;
    const { report } = await examine(["--no-scan"]);
    expect(report).toContain("? scan: Not checked, by --no-scan.");
    expect(cloudflare.writes.slice(writes).every((line) => line.endsWith("/query"))).toBe(true);
  });
});

describe("an answer from elsewhere", () => {
  it("is bounded: a registry's", async () => {
    await installed();
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(100_000)) });
    replace({
      fetch: async (input, init) =>
        String(input).includes("rdap.example") ? new Response(endless) : fetchAnything(input, init),
    });
    expect((await examine()).report).toContain("the answer has more than 1000000 bytes");
  });
});

describe("the installation to check", () => {
  it("is the one that is named, or the only one", async () => {
    await installed();
    await expect(examine(["shop"])).rejects.toThrow("There is no installation shop in installations/");
    await writeFile(join(folder, "installations/shop.toml"), 'account_id = "0"\n');
    await expect(examine()).rejects.toThrow(/npm run doctor -- (qr or shop|shop or qr)$/);
    expect((await examine(["qr"])).isWell).toBe(true);
  });

  it.each([
    [["--port", "0"], "--port must be a port"],
    [["--port", "x"], "--port must be a port"],
    [["../qr"], "The installation must be a prefix"],
    [["qr", "shop"], "Only one installation at a time"],
    [["qr", "--local"], "--local takes no installation"],
    [["--what"], "Usage: npm run doctor"],
  ])("is refused as %j", (args, message) => {
    expect(() => parseDoctorOptions(args, {})).toThrow(message);
  });
});
