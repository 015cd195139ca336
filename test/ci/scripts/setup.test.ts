import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { listInstallations, readBaseConfigs } from "../../../scripts/lib/installation/installation.ts";
import { root } from "../../../scripts/lib/wrangler.ts";
import { token } from "../../e2e/support/installation/cloudflare.ts";
import { quickWrangler } from "../../e2e/support/installation/quick-wrangler.ts";
import {
  bindingOf,
  clearLines,
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
  useAccount,
  written,
} from "../../e2e/support/installation/setup.ts";

useAccount();

describe("npm run setup", () => {
  it("says before it writes what it will write, and writes nothing else", async () => {
    await failure(domains);
    expect(cloudflare.writes).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
    const announced = said();
    await installed();
    const { buckets, scripts } = cloudflare.inventory;
    for (const name of ["qr-catalogue", "qr-routes", ...buckets, ...cloudflare.queues.keys(), ...scripts]) {
      expect(announced).toContain(name);
    }
    for (const file of await readdir(join(folder, "installations"))) expect(announced).toContain(file);
    for (const name of readBaseConfigs().service.secrets?.required ?? []) expect(announced).toContain(name);
  });

  it("creates nothing when it is run again, keeps every secret, and needs no option again", async () => {
    await installed();
    const before = cloudflare.inventory;
    const bindings = () =>
      [...(cloudflare.scripts.get("qr-code-management-service") ?? [])].sort((one, other) =>
        one.name.localeCompare(other.name),
      );
    const stored = bindings();
    const file = await written("qr.toml");
    await install(["--yes"]);
    expect(cloudflare.inventory).toEqual(before);
    expect(bindings()).toEqual(stored);
    expect(await written("qr.toml")).toBe(file);
    expect(said()).toContain("keep    D1 database qr-catalogue");
    expect(said()).not.toMatch(/^ {2}(create|write|store|replace) /m);
    await expectInstalled();
  });

  it("finds an installation again on another machine, where it stores a new operator's secret", async () => {
    await installed();
    const before = cloudflare.inventory;
    const visitor = bindingOf("VISITOR_SECRET");
    await rm(join(folder, "installations"), { recursive: true });
    await install(["--yes"]);
    expect(cloudflare.inventory).toEqual(before);
    expect(bindingOf("VISITOR_SECRET")).toEqual(visitor);
    expect(said()).toContain("replace secrets OPERATOR_SECRET");
    await expectInstalled();
  });

  it("prints no secret, and leaves none but the operator's in a file of its owner's", async () => {
    await install();
    await install(["--yes"]);
    const secrets = (cloudflare.scripts.get("qr-code-management-service") ?? [])
      .filter(({ type, text }) => type === "secret_text" && text !== "none")
      .map(({ text = "" }) => text);
    expect(new Set(secrets).size).toBe(4);
    const { mode } = await stat(join(folder, "installations/qr.operator-secret"));
    expect(mode & 0o077).toBe(0);
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files
        .filter((file) => file.isFile() && file.name !== "qr.operator-secret")
        .map((file) => readFile(join(file.parentPath, file.name), "utf8")),
    );
    for (const secret of [...secrets, token]) {
      expect(secret.length).toBeGreaterThanOrEqual(17);
      for (const text of [said(), ...texts]) expect(text).not.toContain(secret);
    }
  });

  it("gives two installations in an account names of their own", async () => {
    await installed();
    const first = cloudflare.inventory;
    await install([
      "--yes",
      "--prefix",
      "shop",
      "--scan-domain",
      "s.example.com",
      "--app-domain",
      "a.example.com",
    ]);
    const both = cloudflare.inventory;
    expect(both.databases).toEqual([...first.databases, expect.stringMatching(/ shop-catalogue$/)]);
    expect(both.scripts).toEqual([
      ...first.scripts,
      "shop-code-images",
      "shop-code-management-service",
      "shop-code-edge",
    ]);
    expect(both.queues.length).toBe(2 * first.queues.length);
    expect(await readdir(join(folder, "installations"))).toEqual(
      expect.arrayContaining(["qr.toml", "shop.toml"]),
    );
  });

  it("keeps settings that were added to the installation's file", async () => {
    await installed();
    const file = join(folder, "installations/qr.toml");
    await writeFile(file, `${await written("qr.toml")}HOME_URL = "https://www.example.com/"\n`);
    await install(["--yes", "--oidc-issuer", "https://id.example.com", "--oidc-client-id", "codes"]);
    expect(bindingOf("HOME_URL")?.text).toBe("https://www.example.com/");
    expect(bindingOf("OIDC_ISSUER")?.text).toBe("https://id.example.com");
    expect(await written("qr.toml")).toContain('HOME_URL = "https://www.example.com/"');
  });

  it("writes a file that npm run deploy applies, which keeps the secrets", async () => {
    await installed();
    const operator = bindingOf("OPERATOR_SECRET");
    await writeFile(
      join(folder, "installations/qr.toml"),
      `${await written("qr.toml")}HOME_URL = "https://www.example.com/"\n`,
    );
    await deploy();
    expect(bindingOf("HOME_URL")?.text).toBe("https://www.example.com/");
    expect(bindingOf("OPERATOR_SECRET")).toEqual(operator);
    expect(await listInstallations(join(folder, "installations"))).toEqual(["qr"]);
  });

  it("asks for the domains, proposes some, and asks before it changes anything", async () => {
    const questions: string[] = [];
    await install([], {
      ask: async (question) => {
        questions.push(question);
        expect(cloudflare.writes).toEqual([]);
        return "";
      },
    });
    expect(questions).toEqual([
      "Host in your printed codes [qr.example.com]: ",
      "Host of dashboard and API [app.example.com]: ",
      expect.stringMatching(/^Where to send alerts.* Enter for none/),
      "Continue? [Y/n] ",
    ]);
    expect(bindingOf("ALERT_URL")).toBeUndefined();
    await expectInstalled();
  });

  it("stores where alerts are sent, as a secret that it says it stores, and keeps it", async () => {
    const address = "https://hooks.example.org/services/T0/B0/secret";
    await install([...complete, "--alert-url", address]);
    expect(bindingOf("ALERT_URL")).toMatchObject({ type: "secret_text", text: address });
    expect(said()).toMatch(/store {3}new secrets ALERT_URL, /);
    expect(said()).not.toContain(address);
    clearLines();
    const questions: string[] = [];
    await install(complete.slice(1), { ask: async (question) => String(questions.push(question) && "") });
    expect(questions).toEqual(["Continue? [Y/n] "]);
    expect(said()).not.toContain("ALERT_URL");
    const other = "https://hooks.example.org/other";
    await install(["--yes"], {
      env: { CLOUDFLARE_API_BASE_URL: cloudflare.base, CLOUDFLARE_API_TOKEN: token, ALERT_URL: other },
    });
    expect(said()).toContain("replace secrets ALERT_URL");
    expect(bindingOf("ALERT_URL")?.text).toBe(other);
  });

  it("asks again for an address that alerts can't be sent to, and refuses one that was given", async () => {
    const answers = ["hooks.example.org", "http://hooks.example.org/", "https://qr.example.com/", ""];
    await install(complete.slice(1), {
      ask: async (question) => (question.startsWith("Where") ? (answers.shift() ?? "") : ""),
    });
    expect(answers).toEqual([]);
    expect(said().match(/^It (must|can't).*$/gm)).toEqual([
      "It must be an https address",
      "It must be an https address",
      "It can't be on this service itself",
    ]);
    expect(await failure([...complete, "--alert-url", "http://hooks.example.org/"])).toBe(
      "--alert-url (or ALERT_URL) must be an https address",
    );
  });

  it("says before its yes what Workers Free is too small for, with the documents' figures", async () => {
    const plans = readFileSync(join(root, "docs/operating/plans.md"), "utf8");
    const [, page = ""] = /First page of the dashboard in an isolate.*\| ([\d–]+) \| /.exec(plans) ?? [];
    const [, api = ""] = /First API request in an isolate.*\| ([\d–]+) \| /.exec(plans) ?? [];
    for (const plan of ["free", undefined, "paid"] as const) {
      clearLines();
      cloudflare.plan = plan;
      await install([...domains, "--dry-run"]);
      if (plan === "paid") expect(said()).not.toContain("10 ms");
      else {
        for (const figure of [`taken ${page} ms`, `API ${api}: on Free`, "10 ms"])
          expect(said()).toContain(figure);
      }
    }
  });

  it("uses wrangler's sign-in without a token, and signs in first if there is none", async () => {
    const wrangler = quickWrangler(cloudflare, new AbortController().signal);
    const env = { CLOUDFLARE_API_BASE_URL: cloudflare.base };
    await install(complete, { env });
    let isSignedIn = false;
    const changes = {
      env,
      wrangler: (args: string[]) =>
        args[0] === "auth" && !isSignedIn ? Promise.reject(new Error("Not logged in")) : wrangler(args),
    };
    expect(await failure(complete, changes)).toContain("npx wrangler login");
    await install(complete, {
      ...changes,
      ask: async () => "",
      signIn: () => {
        isSignedIn = true;
        return true;
      },
    });
    await expectInstalled();
  });

  it("waits for the domains' certificates, and says how to continue if they take longer", async () => {
    cloudflare.unreachable = 3;
    await install(["--yes", "--wait", "1", ...domains]);
    expect(said()).toContain("answers, with every store and queue");
    cloudflare.unreachable = 1;
    const message = await failure();
    expect(message).toContain("doesn't answer as it should: fetch failed");
    expect(message).toContain("continue later: npm run setup");
  });

  it("works on workers.dev if asked to, with one origin", async () => {
    await install(["--yes", "--workers-dev"]);
    expect(bindingOf("SCAN_ORIGIN")?.text).toBe("https://qr-code-management-service.harbour.workers.dev");
    expect(cloudflare.inventory.domains).toEqual([]);
    expect(said()).toContain("share the origin");
    expect(await failure()).toContain("npm run setup -- --move-scans");
    await install([...complete, "--move-scans", "--edge"]);
    await expectInstalled();
  });

  describe("in an account without R2", () => {
    const refuseR2 = () => {
      cloudflare.intercept = (line) =>
        line.includes("/r2/")
          ? { status: 403, code: 10_042, message: "Please enable R2 through the Cloudflare Dashboard." }
          : undefined;
    };

    it("says how to enable it or continue without, and does so with --without-r2", async () => {
      refuseR2();
      const message = await failure();
      expect(message).toContain(
        "/r2/overview\nOr continue without it, and add it later: npm run setup -- --without-r2",
      );
      expect(cloudflare.writes).toEqual([]);
      await install([...complete, "--without-r2"]);
      expect(bindingOf("FILES")).toBeUndefined();
      expect(said()).toContain("skip    R2: logos can have 64 KiB");
      expect(await written("qr.toml")).toContain("without_r2 = true");
      expect(said()).toContain("was created, scanned, counted and deleted");
      // Another run needs the option no more.
      await install(["--yes"]);
      expect(bindingOf("FILES")).toBeUndefined();
      // Once it is enabled, a run adds it.
      cloudflare.intercept = () => undefined;
      clearLines();
      await install(["--yes"]);
      expect(said()).toContain("create  R2 bucket qr-files");
      expect(await written("qr.toml")).not.toContain("without_r2");
      await expectInstalled();
      // Files that are stored there are not abandoned.
      expect(await failure(["--yes", "--without-r2"])).toContain("has files in R2");
    });

    it("asks whether to continue without it", async () => {
      refuseR2();
      const ask = (answer: string) => async (question: string) => (question.includes("R2") ? answer : "");
      expect(await failure(domains, { ask: ask("n") })).toContain("/r2/overview");
      expect(cloudflare.writes).toEqual([]);
      await install([...domains, "--wait", "0"], { ask: ask("") });
      expect(bindingOf("SCAN_ORIGIN")?.text).toBe("https://qr.example.com");
      expect(bindingOf("FILES")).toBeUndefined();
    });
  });

  it("says how to sign in while there are no passkeys", async () => {
    cloudflare.hasPasskeys = false;
    await install();
    expect(said()).toContain("https://app.example.com/dashboard/callback there, then run");
    await install(["--yes", "--oidc-issuer", "https://id.example.com", "--oidc-client-id", "codes"]);
    expect(said()).toContain("Sign in: https://app.example.com/dashboard");
  });
});

it("Ctrl-C ends the command with a sentence that says how to continue", async () => {
  const args = [join(root, "scripts/setup.ts"), "--dry-run", ...domains];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, CLOUDFLARE_API_BASE_URL: cloudflare.base, CLOUDFLARE_API_TOKEN: token },
    stdio: ["ignore", "ignore", "pipe"],
  });
  cloudflare.intercept = () => {
    child.kill("SIGINT");
    return undefined;
  };
  const [[code], output] = await Promise.all([once(child, "close"), text(child.stderr)]);
  expect({ code, output: output.trim() }).toEqual({
    code: 130,
    output: "Interrupted. Continue where it stopped: npm run setup",
  });
});
