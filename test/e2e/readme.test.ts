import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";
import type * as z from "zod";
import { creationCommands } from "../../scripts/lib/deploy-check.ts";
import { root, runWrangler } from "../../scripts/lib/wrangler.ts";
import type { Endpoint } from "../../src/contract/endpoints/endpoint.ts";
import { endpoints } from "../../src/contract/endpoints/index.ts";
import { EventKind } from "../../src/contract/resources/enums.ts";
import { statusOf } from "../../src/contract/errors.ts";
import { ImageQuery } from "../../src/contract/resources/images.ts";
import { limits } from "../../src/contract/limits.ts";
import { PageInput } from "../../src/contract/resources/pages.ts";
import { plans } from "../../src/contract/plans.ts";
import { QrData } from "../../src/contract/resources/qr-data.ts";
import { routing } from "../../src/domain/routing/timing.ts";
import { webhookRules } from "../../src/protocol/webhook-rules.ts";
import { DevServer } from "./support/dev-server.ts";
import {
  codeBlocks,
  inBackticks,
  missingLines,
  readme,
  section,
  steps,
  tableRows,
} from "./support/readme.ts";

const run = promisify(execFile);

/** Runs a script as one that is pasted whole. Any command that fails ends it. @returns what it printed */
async function bash(script: string, cwd: string): Promise<string> {
  const { stdout } = await run("bash", ["-e", "-c", script], { cwd, timeout: 90_000 });
  return stdout;
}

describe("what the README says to paste", () => {
  let data = "";
  let server: DevServer;
  let firstKey = "";

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), "qr-readme-"));
    const local = ["--local", "--persist-to", data];
    // Before the service runs: two processes would have to share a database file.
    await runWrangler(["d1", "migrations", "apply", "DB", ...local], AbortSignal.timeout(60_000));
    const [block] = codeBlocks(section("Deploy to Cloudflare")).filter(({ language }) => language === "bash");
    expect(block?.text).toContain(" --remote ");
    const script = block?.text.replace("--remote", local.map((word) => `'${word}'`).join(" ")) ?? "";
    firstKey = (await bash(script, root)).trimEnd().split("\n").at(-1) ?? "";
    server = await DevServer.start(["--persist-to", data]);
  });
  afterAll(async () => {
    await server?.interrupt();
    await rm(data, { recursive: true });
  });

  it("takes the tour", async () => {
    const tour = steps("A quick tour");
    const here = (text: string) =>
      text
        .replaceAll("http://localhost:8787", server.origin)
        .replaceAll("http://localhost:8788", server.issuer);
    const mark = "--- end of block ---";
    const script = tour.map((step) => `${here(step.script)}\nprintf '%s\\n' '${mark}'\n`).join("");
    // In the folder that has this service's `.dev.key`, as the project's folder has that of `npm run dev`.
    const outputs = (await bash(script, data)).split(`${mark}\n`).slice(0, -1);

    for (const [index, { shown }] of tour.entries()) {
      const output = outputs[index] ?? "";
      expect({ output, missing: missingLines(here(shown), output) }).toEqual({ output, missing: [] });
    }

    // What it must have come to, whatever the README shows.
    const all = outputs.join("");
    expect([...all.matchAll(/^location: (.*)\r$/gim)].map(([, to]) => to)).toEqual([
      "https://example.com/lunch",
      "https://example.com/dinner",
    ]);
    expect(all.match(/^(HTTP\/1\.1 )?\d{3}\b/gm)).toEqual([
      "HTTP/1.1 302",
      "HTTP/1.1 302",
      "404",
      "302",
      "404",
    ]);
    expect([...all.matchAll(/"total":(\d+)/g)].map(([, total]) => Number(total))).toEqual([3, 3]);
    expect(all).toContain('{"success":true}');
    const once = tour.findIndex((step) => step.script.includes("Idempotency-Key"));
    expect(outputs[once]).toMatch(/^([0-9a-f-]{36})\n\1\n$/);
  });

  it("makes a first workspace and a key that works", async () => {
    expect(firstKey).toMatch(/^sk_live_[0-9A-Za-z]{32}$/);
    const headers = { authorization: `Bearer ${firstKey}`, "content-type": "application/json" };
    const body = JSON.stringify({ qrType: "url", data: { type: "url", url: "example.com" } });
    const url = `${server.origin}/api/v1/qr`;
    const created = await fetch(url, { method: "POST", headers, body });
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: string };
    const scans = await fetch(`${url}/${id}/scans`, { headers });
    expect(scans.status).toBe(200);
    expect(scans.headers.get("x-ratelimit-limit")).toBe(String(plans.business.requestsPerMinute));
  });
});

describe("the README", () => {
  it("names every endpoint, with its scope or what else it needs, and none that is not there", () => {
    const rows = tableRows("The API at a glance", "Endpoint").map(([endpoint, , scope]) => [endpoint, scope]);
    const table = Object.values<Endpoint>(endpoints).map((endpoint) => [
      `\`${endpoint.method.toUpperCase()} ${endpoint.path}\``,
      endpoint.auth === "key" ? `\`${endpoint.scope}\`` : endpoint.auth,
    ]);
    expect(rows.sort()).toEqual(table.sort());
  });

  it("tells each type's data as it is", () => {
    const rows = tableRows("Types of codes", "Type").map(([type, data]) => [type, data]);
    const table = QrData.options.map(({ shape }) => {
      const { type, ...own } = shape;
      const fields = Object.entries<z.ZodType>(own).map(
        ([name, field]) => name + (field.safeParse(undefined).success ? "?" : ""),
      );
      return [`\`${type.value}\``, `\`{${fields.join(", ")}}\``];
    });
    expect(rows).toEqual(table);
    const text = section("Types of codes");
    const { line, text: most, bytes } = limits.data;
    expect(text).toContain(`at most ${line} characters, a message, body or note ${most}`);
    expect(text).toContain(`as a whole ${bytes} bytes`);
  });

  it("tells the plans as they are", () => {
    const table = Object.values(plans).map((plan) => [
      plan.title,
      String(plan.requestsPerMinute),
      String(plan.bulkRows),
      plan.liveCodes === null ? "no cap" : String(plan.liveCodes),
      plan.secretKeys ? "yes" : "no",
      String(plan.webhooks),
    ]);
    expect(tableRows("The API at a glance", "Plan")).toEqual(table);
  });

  it("tells the images' options as they are", () => {
    const { size, margin } = limits.image;
    const rows = tableRows("Images", "Option");
    expect(rows.map(([name]) => name)).toEqual(Object.keys(ImageQuery.shape).map((name) => `\`${name}\``));
    const defaults = ["`svg`", String(size.default), String(margin.default), "`M`", "no"];
    expect(rows.map(([, , value]) => value)).toEqual(defaults);
    expect(rows[1]?.[1]).toContain(
      `${size.min} to ${size.max}; a public PNG has at most ${limits.publicPng}`,
    );
    expect(rows[2]?.[1]).toContain(`${margin.min} to ${margin.max}`);
    expect(section("Images")).toContain(`less contrast than ${limits.contrast}:1`);
  });

  it("tells what a hosted page may have", () => {
    const fields = tableRows("Hosted pages", "Field").map(([name]) => name);
    expect(fields).toEqual(Object.keys(PageInput.shape).map((name) => `\`${name}\``));
    const text = section("Hosted pages").replace(/\s+/g, " ");
    const { blocks, fields: most, bytes } = limits.page;
    const own = `at most ${blocks} blocks, ${most} fields and ${bytes} bytes of JSON`;
    expect(text).toContain(`${own}, a workspace at most ${limits.pages} pages`);
    expect(text).toContain(`at most ${limits.pageImage.bytes / 1024 / 1024} MB`);
    const { ratelimits } = unstable_readConfig({ config: join(root, "wrangler.toml") });
    const bindings = ratelimits as { name: string; simple: { limit: number } }[];
    const limit = bindings.find(({ name }) => name === "SUBMISSIONS")?.simple.limit;
    expect(text).toContain(`An address may send ${limit} forms a minute`);
  });

  it("tells receivers what the code does", () => {
    const text = section("Webhooks, for receivers").replace(/\s+/g, " ");
    const { attemptOffsets, timeout, pauseAfter, retention } = webhookRules;
    const time = (ms: number) =>
      ms < 60_000 ? `${ms / 1000} s` : ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
    const [, ...later] = attemptOffsets.map(time);
    expect(text).toContain(`${later.slice(0, -1).join(", ")} and ${later.at(-1)} after the first attempt`);
    expect(text).toContain(`within ${timeout / 1000} seconds`);
    expect(text).toContain(`After ${pauseAfter} deliveries in a row`);
    expect(text).toContain(`kept for ${retention / 86_400_000} days`);
    const kinds = tableRows("Webhooks, for receivers", "Event").map(([kind = ""]) => kind);
    expect(kinds).toEqual(EventKind.options.map((kind) => `\`${kind}\``));
  });

  it("tells the errors as they are", () => {
    const rows = tableRows("The API at a glance", "Status").map(([status, code]) => [code, status]);
    const table = Object.entries(statusOf).map(([code, status]) => [`\`${code}\``, String(status)]);
    expect(rows.sort()).toEqual(table.sort());
  });

  it("states the guarantee in the numbers of the code", () => {
    const text = section("The guarantee").replace(/\s+/g, " ");
    expect(text).toContain(`later than ${routing.viewMilliseconds / 1000} second.`);
    expect(text).toContain(`most the ${routing.memoryMilliseconds / 1000} s that an isolate remembers`);
  });

  it("maps the code as it lies", async () => {
    const places = tableRows("Code map", "Place").flatMap(([place = ""]) => inBackticks(place));
    const lost = places.filter((place) => !existsSync(join(root, place)));
    expect(lost).toEqual([]);
    const inSrc = await readdir(join(root, "src"), { withFileTypes: true });
    const entries = inSrc.map((entry) => `src/${entry.name}${entry.isDirectory() ? "/" : ""}`);
    expect(places).toEqual(expect.arrayContaining(entries));
  });

  it("links to what is there", () => {
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    const anchors = [...readme.matchAll(/^## (.*)$/gm)].map(
      ([, title = ""]) => `#${title.toLowerCase().replaceAll(" ", "-")}`,
    );
    const local = links.filter((link) => !link.startsWith("https://"));
    const broken = local.filter((link) => !anchors.includes(link) && !existsSync(join(root, link)));
    expect(local).not.toEqual([]);
    expect(broken).toEqual([]);
  });

  it("names npm scripts that are there", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
    const named = [...readme.matchAll(/\bnpm (?:run )?(?!ci\b|run\b|script)([\w:]+)/g)].map(
      ([, name]) => name,
    );
    expect(named).toContain("dev");
    expect(named.filter((name) => !Object.keys(scripts).includes(String(name)))).toEqual([]);
  });

  it("names all that must be created before a deployment", () => {
    const text = section("Deploy to Cloudflare");
    const config = unstable_readConfig({ config: join(root, "wrangler.toml") });
    expect(creationCommands(config).filter((command) => !text.includes(`${command}\n`))).toEqual([]);
  });
});
