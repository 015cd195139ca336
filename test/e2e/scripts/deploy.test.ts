import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";
import {
  deployProblem,
  deployWarning,
  findBlockers,
  whoGetsIn,
} from "../../../scripts/lib/installation/deploy-check.ts";
import { localSecrets } from "../../../scripts/lib/installation/secrets.ts";
import { root } from "../../../scripts/lib/wrangler.ts";

const wranglerConfig = unstable_readConfig({ config: join(root, "wrangler.toml") });

const validConfig = {
  d1_databases: [
    { binding: "DB", database_name: "cat", database_id: "6f2f0a3c-4f0a-4f5e-9d57-0c9d3f1b2a10" },
  ],
  kv_namespaces: [{ binding: "ROUTES", id: "06779da6940b431db6e566b4846d64db" }],
  workers_dev: false,
  preview_urls: false,
  secrets: { required: ["ONE", "TWO"] },
  vars: { SCAN_ORIGIN: "https://qr.example.com", OIDC_ISSUER: "", OIDC_CLIENT_ID: "" },
};

describe("npm run deploy", () => {
  it("accepts a complete configuration", () => {
    expect(deployProblem(validConfig)).toBeUndefined();
  });

  it("refuses placeholder ids", () => {
    const id = "00000000-0000-0000-0000-000000000000";
    const placeholders = {
      ...validConfig,
      d1_databases: [{ binding: "DB", database_name: "cat", database_id: id }],
      kv_namespaces: [{ binding: "ROUTES", id: id.replaceAll("-", "") }],
    };
    expect(findBlockers(placeholders)).toEqual([
      "D1 database DB: database_id is a placeholder",
      "KV namespace ROUTES: id is a placeholder",
    ]);
  });

  it.each([
    "http://qr.example.com",
    "http://localhost:8787",
    "https://qr.example.com/",
    "https://qr.example.com/go",
    "qr.example.com",
    "",
    undefined,
  ])("refuses the scan origin %j", (SCAN_ORIGIN) => {
    const vars = { ...validConfig.vars, SCAN_ORIGIN } as typeof validConfig.vars;
    expect(findBlockers({ ...validConfig, vars })).toEqual([
      `SCAN_ORIGIN must be an https origin like "https://qr.example.com", not "${SCAN_ORIGIN}"`,
    ]);
  });

  it.each(["http://plans.example", "plans.example"])(
    "refuses the page to change the plan %s",
    (UPGRADE_URL) => {
      const vars = { ...validConfig.vars, UPGRADE_URL };
      expect(findBlockers({ ...validConfig, vars })).toEqual([
        `UPGRADE_URL must be an https address, or be empty, not "${UPGRADE_URL}"`,
      ]);
    },
  );

  it("refuses custom hostnames that can't work, and their token where all can read it", () => {
    const problems = (vars: object) =>
      findBlockers({ ...validConfig, vars: { ...validConfig.vars, ...vars } });
    const zone = "023e105f4ecef8ad9ca31a8372d0c353";
    const valid = { CUSTOM_HOSTNAMES_ZONE: zone, CUSTOM_HOSTNAMES_TARGET: "hosts.example.net" };
    expect(problems({ ...valid, MAX_CUSTOM_HOSTNAMES: "500" })).toEqual([]);
    expect(problems({ CUSTOM_HOSTNAMES_ZONE: zone })).toEqual([
      "CUSTOM_HOSTNAMES_ZONE and CUSTOM_HOSTNAMES_TARGET go together: set both, or neither",
    ]);
    const invalid = {
      CUSTOM_HOSTNAMES_ZONE: "example.net",
      CUSTOM_HOSTNAMES_TARGET: "https://hosts.example.net",
      MAX_CUSTOM_HOSTNAMES: "many",
      CUSTOM_HOSTNAMES_TOKEN: "a-token",
    };
    expect(problems(invalid)).toEqual([
      'CUSTOM_HOSTNAMES_ZONE must be a zone\'s id, 32 hexadecimal digits, not "example.net"',
      'CUSTOM_HOSTNAMES_TARGET must be a host like "hosts.example.net", in lower case, not "https://hosts.example.net"',
      'MAX_CUSTOM_HOSTNAMES must be a whole number, or be empty, not "many"',
      "CUSTOM_HOSTNAMES_TOKEN must not be in [vars]: remove it, and set it with wrangler secret put",
    ]);
  });

  it("refuses unknown ways to sign in and plans, and a paid plan for strangers", () => {
    const problems = (vars: object) =>
      findBlockers({ ...validConfig, vars: { ...validConfig.vars, ...vars } });
    expect(problems({ PASSKEYS: "on", SIGN_UP: "closed", DEFAULT_PLAN: "business" })).toEqual([]);
    expect(problems({ PASSKEYS: "yes", SIGN_UP: "free", DEFAULT_PLAN: "gold" })).toEqual([
      'PASSKEYS must be "on", "off" or empty, not "yes"',
      'SIGN_UP must be "closed", "open" or empty, not "free"',
      'DEFAULT_PLAN must be "free", "starter", "pro", "business" or empty, not "gold"',
    ]);
    expect(problems({ OWNERS_CREATE_WORKSPACES: "yes" })).toEqual([
      'OWNERS_CREATE_WORKSPACES must be "on", "off" or empty, not "yes"',
    ]);
    expect(problems({ BRAND_NAME: "x".repeat(51) })).toEqual(["BRAND_NAME can have at most 50 characters"]);
    expect(problems({ SIGN_UP: "open", DEFAULT_PLAN: "business" })).toEqual([
      "SIGN_UP can be open only if DEFAULT_PLAN is free: anyone could join on it",
    ]);
  });

  it.each([
    [{ DEFAULT_PLAN: "business" }, "business plan for people with your one-time link. Members"],
    [{ SIGN_UP: "open" }, "free plan for everyone. Members"],
    [
      { OIDC_ISSUER: "https://id.example/", PASSKEYS: "", SIGN_UP: "open", DEFAULT_PLAN: "pro" },
      "pro plan for people with your one-time link; everyone whom id.example lets in. Members",
    ],
    [{ OWNERS_CREATE_WORKSPACES: "on" }, "free plan for people with your one-time link; owners of another."],
  ])("says who gets a workspace with %j", (vars, expected) => {
    const unset = { PASSKEYS: "", SIGN_UP: "", OIDC_ISSUER: "", DEFAULT_PLAN: "" };
    expect(whoGetsIn({ vars: { ...validConfig.vars, ...unset, ...vars } })).toContain(expected);
  });

  it.each([
    "www.example.com",
    "http://www.example.com/",
    "https://qr.example.com/?a=b",
    "javascript:alert(1)",
  ])("refuses the home %s", (HOME_URL) => {
    const vars = { ...validConfig.vars, HOME_URL };
    expect(findBlockers({ ...validConfig, vars })).toEqual([
      `HOME_URL must be an https address other than the root of SCAN_ORIGIN, or be empty, not "${HOME_URL}"`,
    ]);
  });

  it.each(["", "https://www.example.com/codes", "https://qr.example.com/pages/x"])(
    "accepts the home %j",
    (HOME_URL) => {
      expect(findBlockers({ ...validConfig, vars: { ...validConfig.vars, HOME_URL } })).toEqual([]);
    },
  );

  describe("with an origin of the app", () => {
    const configWith = (APP_ORIGIN: string) => ({
      ...validConfig,
      vars: { ...validConfig.vars, APP_ORIGIN },
    });

    it("is accepted, without a warning", () => {
      expect(findBlockers(configWith("https://app.example.com"))).toEqual([]);
      expect(deployWarning(configWith("https://app.example.com"))).toBeUndefined();
    });

    it.each(["http://app.example.com", "https://app.example.com/", "app.example.com", "none"])(
      "is refused if it is %j",
      (origin) => {
        expect(findBlockers(configWith(origin))).toEqual([
          `APP_ORIGIN must be an https origin like "https://app.example.com", or empty, not "${origin}"`,
        ]);
      },
    );

    it("is refused on another port of the same host", () => {
      expect(findBlockers(configWith("https://qr.example.com:8443"))).toEqual([
        "APP_ORIGIN must have another host than SCAN_ORIGIN: ports of a host share its cookies",
      ]);
    });

    it.each(["", "https://qr.example.com"])("is warned if it is %j, the same as for scans", (origin) => {
      const config = configWith(origin);
      expect(findBlockers(config)).toEqual([]);
      expect(deployWarning(config)).toContain("share the origin https://qr.example.com");
      expect(deployWarning(validConfig)).toBe(deployWarning(config));
    });
  });

  it.each([
    ["http://id.example.com", "qr-codes"],
    ["id.example.com", "qr-codes"],
    [undefined, "qr-codes"],
  ])("refuses the issuer %j", (OIDC_ISSUER, OIDC_CLIENT_ID) => {
    const vars = { ...validConfig.vars, OIDC_ISSUER, OIDC_CLIENT_ID } as typeof validConfig.vars;
    expect(findBlockers({ ...validConfig, vars })).toEqual([
      `OIDC_ISSUER must begin with https://, or be empty, not "${OIDC_ISSUER}"`,
    ]);
  });

  it("accepts an issuer and a client id only together", () => {
    const blockers = (OIDC_ISSUER: string, OIDC_CLIENT_ID: string) =>
      findBlockers({ ...validConfig, vars: { ...validConfig.vars, OIDC_ISSUER, OIDC_CLIENT_ID } });
    expect(blockers("https://id.example.com/realms/one", "qr-codes")).toEqual([]);
    const bothRequired = ["OIDC_ISSUER and OIDC_CLIENT_ID go together: set both, or neither"];
    expect(blockers("https://id.example.com", "")).toEqual(bothRequired);
    expect(blockers("", "qr-codes")).toEqual(bothRequired);
  });

  it.each(["workers_dev", "preview_urls"] as const)("refuses another address, by %s", (setting) => {
    for (const value of [true, undefined]) {
      expect(findBlockers({ ...validConfig, [setting]: value })).toEqual([
        `${setting} must be false: the service would also respond at a workers.dev address`,
      ]);
    }
  });

  it("refuses a secret among the variables", () => {
    const vars = { ...validConfig.vars, TWO: "in the repository" };
    expect(findBlockers({ ...validConfig, vars })).toEqual([
      "TWO must not be in [vars]: remove it, and set it with npm run setup",
    ]);
  });

  it("finds in wrangler.toml only what each installation fills in itself", () => {
    const blockers = findBlockers(wranglerConfig);
    expect(blockers.map((blocker) => blocker.split(":")[0])).toEqual([
      "D1 database DB",
      "KV namespace ROUTES",
      expect.stringMatching(/^SCAN_ORIGIN must be an https origin/),
    ]);
  });

  it("says how to correct what prevents it", () => {
    expect(deployProblem({ ...validConfig, vars: { ...validConfig.vars, SCAN_ORIGIN: "" } })).toContain(
      "let setup do it: npm run setup",
    );
  });

  it("accepts the workers.dev address of an installation to try the service out", () => {
    const vars = { ...validConfig.vars, SCAN_ORIGIN: "https://qr.harbour.workers.dev" };
    expect(findBlockers({ ...validConfig, workers_dev: true, vars })).toEqual([]);
  });
});

it("the platform logs no requests of its own, with their URLs and the addresses of clients", () => {
  expect(wranglerConfig.observability).toMatchObject({
    enabled: true,
    logs: { enabled: true, invocation_logs: false },
  });
});

describe("the deploy button", () => {
  const { d1_databases, kv_namespaces, r2_buckets, services = [], queues, secrets, vars } = wranglerConfig;
  const required = secrets?.required ?? [];

  it("asks for every required secret, and proposes none that works", () => {
    const example = parseEnv(readFileSync(join(root, ".dev.vars.example"), "utf8"));
    expect(Object.keys(example).sort()).toEqual([...required].sort());
    expect(Object.values(example).filter((value) => value !== "" && value !== "none")).toEqual([]);
  });

  it("describes every secret and binding, and nothing that isn't there", () => {
    const { cloudflare } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      cloudflare: { bindings: Record<string, { description: string }> };
    };
    const described = Object.keys(cloudflare.bindings);
    const bound = [d1_databases, kv_namespaces, r2_buckets, services, queues.producers ?? []].flat();
    const names = [...required, ...bound.map(({ binding }) => binding)];
    expect(names.filter((name) => !described.includes(name))).toEqual([]);
    expect(described.filter((name) => !names.includes(name) && !(name in vars))).toEqual([]);
  });
});

it("npm run dev generates every secret that wrangler.toml requires", () => {
  expect(Object.keys(localSecrets).sort()).toEqual([...(wranglerConfig.secrets?.required ?? [])].sort());
});
