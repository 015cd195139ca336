import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readBaseConfigs, renderConfigs } from "../../../scripts/lib/installation/installation.ts";
import { writeOnly } from "../../../scripts/lib/installation/update-installation.ts";
import { examine, useDoctor } from "../../e2e/support/installation/doctor.ts";
import {
  bindingOf,
  cloudflare,
  complete,
  deploy,
  domains,
  expectInstalled,
  failure,
  folder,
  install,
  installed,
  said,
  written,
} from "../../e2e/support/installation/setup.ts";

useDoctor();

const file = () => join(folder, "installations/qr.toml");
const add = async (lines: string) => writeFile(file(), `${await written("qr.toml")}${lines}\n`);
const retention = () =>
  [...cloudflare.queues.values()].map(({ settings }) => settings?.message_retention_period);

describe("queues", () => {
  it.each(["paid", undefined] as const)(
    "keep messages for 14 days, whether the plan is read: %s",
    async (plan) => {
      cloudflare.plan = plan;
      await install();
      expect(new Set(retention())).toEqual(new Set([1_209_600]));
      expect(said()).toContain("Queues keep messages for 14 days");
      if (plan === undefined)
        expect(said()).toContain('not readable without the permission "Account: Billing: Read"');
    },
  );

  it("keep messages for a day on Workers Free, which is said and no failure, and fixed by another run", async () => {
    cloudflare.plan = "free";
    await install();
    await expectInstalled();
    expect(said()).toContain(
      "Queues keep messages for a day, because Cloudflare refuses more, as on Workers Free",
    );
    cloudflare.plan = "paid";
    await install();
    expect(new Set(retention())).toEqual(new Set([1_209_600]));
  });
});

describe("a setting that the service doesn't have", () => {
  it.each([
    ['PASSKEYZ = "on"', "PASSKEYZ isn't a setting. Did you mean PASSKEYS?"],
    ['COLOUR = "red"', "COLOUR isn't a setting"],
    ["PASSKEYS = true", "PASSKEYS must be in quotes, not true"],
  ])("is refused by setup, deploy and doctor: %s", async (line, problem) => {
    await installed();
    const before = cloudflare.writes.length;
    await add(line);
    for (const run of [() => install(["--yes"]), () => deploy(), () => examine()]) {
      await expect(run()).rejects.toThrow(problem);
    }
    expect(cloudflare.writes.length).toBe(before);
  });

  it("is refused above [vars], where it would do nothing", async () => {
    await installed();
    await writeFile(file(), `SIGN_UP = "open"\n${await written("qr.toml")}`);
    await expect(deploy()).rejects.toThrow("SIGN_UP must be below [vars]");
  });
});

it("prompts take the host out of a pasted address, and ask again for what can't be used", async () => {
  const answers = ["qr", "https://qr.elsewhere.com", "https://QR.example.com/menu?x", "", ""];
  const questions: string[] = [];
  await install([], {
    ask: async (question) => {
      questions.push(question);
      return answers[questions.length - 1] ?? "";
    },
  });
  expect(questions.map((question) => question.split(" [")[0])).toEqual([
    ...Array(3).fill("Host in your printed codes"),
    "Host of dashboard and API",
    expect.stringContaining("alerts"),
    "Continue?",
  ]);
  expect(said()).toContain('It must be a host such as qr.example.com, not "qr"');
  expect(said()).toContain("qr.elsewhere.com isn't in a domain of this account");
  expect(bindingOf("SCAN_ORIGIN")?.text).toBe("https://qr.example.com");
});

it("asks again for an account that isn't one of them", async () => {
  cloudflare.accounts.push({ id: "f".repeat(32), name: "Another" });
  const answers = ["Nobody", "", "Harbour Coffee"];
  await install(complete, { ask: async () => answers.shift() ?? "" });
  expect(said()).toContain("The account Nobody isn't one of yours.");
  expect(answers).toEqual([]);
  await expectInstalled();
});

it("a setup that fails before it has deployed leaves no installation", async () => {
  cloudflare.intercept = (line) =>
    /^PUT .*\/workers\/scripts\//.test(line) ? { status: 500, code: 1, message: "Not now" } : undefined;
  await failure();
  expect((await readdir(join(folder, "installations"))).filter((name) => name.endsWith(".toml"))).toEqual([]);
  cloudflare.intercept = () => undefined;
  await install();
  await expectInstalled();
});

it("waits for the name servers to know a host before it looks it up, and says so", async () => {
  let asked = 0;
  const before: string[] = [];
  await install(complete, {
    lookUpAt: async (servers, host) => {
      expect(servers).toEqual(["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"]);
      before.push(...cloudflare.requests.filter((line) => line.includes("https://")));
      asked += 1;
      return asked < 3 ? [] : [host];
    },
  });
  expect(said()).toContain("waiting for the name servers of example.com to know qr.example.com");
  expect([asked, before]).toEqual([4, []]);
});

it("setup continues if the name servers can't be reached from here", async () => {
  await install(complete, { lookUpAt: async () => [] });
  expect(said()).toContain("They don't answer for qr.example.com here.");
  await expectInstalled();
});

describe("an installation's file", () => {
  it("has a place for further settings of wrangler, which setup keeps", async () => {
    await installed();
    await add(
      '[wrangler]\nlimits = { cpu_ms = 1000 }\nanalytics_engine_datasets = [{ binding = "FIGURES", dataset = "shop" }]',
    );
    await install(["--yes", "--oidc-issuer", "https://id.example.com", "--oidc-client-id", "codes"]);
    expect(await written("qr.toml")).toContain('"binding" = "FIGURES", "dataset" = "shop"');
    expect(cloudflare.limits.get("qr-code-management-service")).toEqual({ cpu_ms: 1000 });
  });

  it("gives other prefixes rate limits of their own", () => {
    const idsOf = (prefix: string) => {
      const rest = { ids: {}, vars: {}, hosts: [], wrangler: {} };
      const installation = { prefix, accountId: "a", withoutR2: false, edge: false, ...rest };
      return (renderConfigs(readBaseConfigs(), installation).service.ratelimits ?? []).map(
        (each) => each.namespace_id,
      );
    };
    const [usual, shop, bar] = ["qr", "shop", "bar"].map(idsOf);
    expect(usual).toContain("1001");
    expect(new Set([...(usual ?? []), ...(shop ?? []), ...(bar ?? [])]).size).toBe(3 * (usual ?? []).length);
  });

  it("is all that a fresh clone needs for wrangler's own commands", async () => {
    await installed();
    const lines: string[] = [];
    const scratch = join(folder, "fresh");
    await writeOnly("qr", {
      folder: join(folder, "installations"),
      scratch,
      say: (line) => lines.push(line),
    });
    expect(await readdir(join(scratch, "qr"))).toEqual(["edge.json", "images.json", "service.json"]);
    expect(lines.join()).toContain("service.json written");
  });
});

it("an option with a pasted address is taken as its host", async () => {
  await install(["--yes", "--wait", "0", "--scan-domain", "https://qr.example.com/", ...domains.slice(2)]);
  await expectInstalled();
});

it("repeats requests of the proof that fail on Cloudflare's side, as at first on Workers Free, and says so", async () => {
  let failures = 0;
  const { fetch } = cloudflare;
  await install(complete, {
    fetch: async (input, init) => {
      const isCreation = init?.method === "POST" && String(input).endsWith("/api/v1/qr");
      if (!isCreation || failures === 2) return fetch(input, init);
      failures += 1;
      return new Response("error code: 1102", { status: 503 });
    },
  });
  expect(said()).toContain(
    "POST https://app.example.com/api/v1/qr answered 503, trying again: it exceeded the CPU time",
  );
  expect(cloudflare.codes).toEqual([]);
  await expectInstalled();
});
